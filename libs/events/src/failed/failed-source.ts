import type { FailedKind } from '@daylift/contracts/failed.http';
import type { Kysely, Transaction } from 'kysely';

/** State of a failed item. `replayed`: done, or being retried. */
export type Standing = 'parked' | 'replayed' | 'discarded';

export interface FailedEntry {
  /** Without its kind. */
  key: string;
  type: string;
  parked_at: Date;
  tries: number;
  error: string;
  /** Unmasked; the caller masks it. */
  payload: unknown;
  user_id: string | null;
}

/** One kind of work that fails permanently after some tries and waits for an admin. */
export interface FailedSource<T> {
  kind: FailedKind;
  /** Returns the oldest items. */
  list(db: Kysely<T>, only: { type?: string; limit: number }): Promise<FailedEntry[]>;
  count(db: Kysely<T>, only: { type?: string }): Promise<number>;
  /** Locks an item, so two admins act one after the other. Returns null if it never existed. */
  lock(trx: Transaction<T>, key: string): Promise<Standing | null>;
  /** Retries a locked item. If it throws, the item stays failed. */
  replay(trx: Transaction<T>, key: string, now: Date): Promise<void>;
  /** Records a failed replay. Only for work done within `replay`. */
  fail?(trx: Transaction<T>, key: string, error: string): Promise<void>;
  /** Discards a locked item permanently. */
  discard(trx: Transaction<T>, key: string, now: Date): Promise<void>;
}
