export interface LoginTriesTable {
  key: string;
  failures: number;
  /** Admitted tries in progress. */
  under_way: number;
  last_try_at: Date;
  blocked_until: Date;
}

/** Clients that an account was signed up or signed in to from. */
export interface KnownClientsTable {
  /** The account and a hash of the client's network. */
  key: string;
  seen_at: Date;
}
