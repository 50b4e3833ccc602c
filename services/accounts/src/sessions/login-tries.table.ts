export interface LoginTriesTable {
  key: string;
  failures: number;
  /** Admitted and not yet answered. */
  under_way: number;
  last_try_at: Date;
  blocked_until: Date;
}

/** Clients that an account was signed in to from. */
export interface KnownClientsTable {
  /** A hash of the account and the client's network. */
  key: string;
  seen_at: Date;
}
