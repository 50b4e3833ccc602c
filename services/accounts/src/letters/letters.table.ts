import type { Selectable } from 'kysely';

/** What people write to us, in their own words. */
export interface LettersTable {
  id: string;
  kind: 'support' | 'contact';
  user_id: string | null;
  name: string;
  email: string;
  subject: string;
  message: string;
  address_hash: string | null;
  created_at: Date;
}
export type Letter = Selectable<LettersTable>;
