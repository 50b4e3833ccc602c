import type { Selectable } from 'kysely';

/** Somebody typed this person's address or number (null: nobody's); a loop looks whether they get a code. */
export interface CodeAsksTable {
  id: string;
  user_id: string | null;
  asked_at: Date;
}

export interface OneTimeCodesTable {
  request_id: string;
  user_id: string;
  /** On the wall clock, as all limits are. */
  requested_at: Date;
  /** On the product's clock, by which the code is sent. */
  expires_at: Date;
  tries_left: number;
  closed_at: Date | null;
  /** Where it was sent; what it proves. */
  channel: 'text' | 'mail';
  address_hash: string | null;
  purpose: 'recover' | 'prove' | 'change';
}
export type OneTimeCode = Selectable<OneTimeCodesTable>;
