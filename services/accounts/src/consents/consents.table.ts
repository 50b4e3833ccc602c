export interface ConsentsTable {
  id: string;
  user_id: string;
  phone_hash: string;
  source: 'signup' | 'reply';
  wording_version: string;
  given_at: Date;
  ip: string | null;
  user_agent: string | null;
  timezone: string;
  delivery_hour: number;
}
