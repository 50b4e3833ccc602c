export interface ConsentsTable {
  id: string;
  user_id: string;
  phone_hash: string;
  source: 'signup' | 'reply' | 'admin';
  wording_version: string;
  given_at: Date;
  ip: string | null;
  user_agent: string | null;
  /** Null once the account is deleted, like `ip` and `user_agent`. */
  timezone: string | null;
  delivery_hour: number | null;
  /** The admin who vouches for a written consent. */
  admin_id: string | null;
}
