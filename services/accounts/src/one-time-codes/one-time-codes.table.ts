import type { Generated, Selectable } from 'kysely';

/** A request for a code that a loop decides on; `user_id` is null for an unknown login. */
export interface CodeRequestsTable {
  id: string;
  user_id: string | null;
  asked_at: Date;
  /** The account has signed in from this client before, so strangers' requests are counted apart. */
  from_known: boolean;
}

export interface OneTimeCodesTable {
  request_id: string;
  user_id: string;
  /** On the wall clock, like all limits. */
  requested_at: Date;
  expires_at: Date;
  tries_left: number;
  known_tries_left: Generated<number>;
  from_known: boolean;
  closed_at: Date | null;
  /** Where it was sent, and so what it proves. */
  channel: 'text' | 'mail';
  address_hash: string | null;
  purpose: 'recover' | 'prove' | 'change';
}
export type OneTimeCode = Selectable<OneTimeCodesTable>;
