import type { ParkedKind } from '@daylift/contracts/parked.http';
import type { Kysely, Transaction } from 'kysely';

/** How something stands that was parked once. `replayed`: it is done, or is being tried again. */
export type Standing = 'parked' | 'replayed' | 'discarded';

export interface ParkedEntry {
  /** Without its kind. */
  key: string;
  type: string;
  parked_at: Date;
  tries: number;
  error: string;
  /** Shown as it is: whoever lists it masks it. */
  payload: unknown;
  user_id: string | null;
}

/** One kind of things that a service gives up after some tries, for an admin to look at. */
export interface ParkedSource<T> {
  kind: ParkedKind;
  /** The oldest ones. */
  list(db: Kysely<T>, only: { type?: string; limit: number }): Promise<ParkedEntry[]>;
  count(db: Kysely<T>, only: { type?: string }): Promise<number>;
  /** Holds it until the transaction ends, so that of two admins one comes first; null where there never was such a thing. */
  lock(trx: Transaction<T>, key: string): Promise<Standing | null>;
  /** Of a locked one that is parked. What it throws leaves it parked. */
  replay(trx: Transaction<T>, key: string, now: Date): Promise<void>;
  /** Writes down that a replay was in vain. Only of what is done within `replay`. */
  fail?(trx: Transaction<T>, key: string, error: string): Promise<void>;
  /** Of a locked one that is parked: it is never taken up again. */
  discard(trx: Transaction<T>, key: string, now: Date): Promise<void>;
}
