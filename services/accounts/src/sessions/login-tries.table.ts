export interface LoginTriesTable {
  key: string;
  failures: number;
  /** Admitted and not yet answered. */
  under_way: number;
  last_try_at: Date;
  blocked_until: Date;
}
