import type { Generated } from 'kysely';

/** By number, so it is looked up once however often it is proven. */
export interface NumberLookupsTable {
  number_hash: string;
  /** The account that proved it; the row is erased with it. */
  user_id: string;
  /** Null once it is known, or after too many failures. */
  next_try_at: Date | null;
  tries: Generated<number>;
  changed_at: Date;
  line_type: string | null;
  carrier: string | null;
}
