import type { Frequency } from '@daylift/contracts/fields';
import type { BatchKind, SendWindow } from '@daylift/contracts/scheduler.events';
import type { TextOutcome } from '@daylift/contracts/sms.events';
import type { Generated, JSONColumnType, Selectable } from 'kysely';

/**
 * planned --> released --> accepted | skipped | missed | refused | unknown | superseded
 *         \-> skipped | missed | superseded
 *
 * sms-gateway decides what follows `released`; `settleDispatches` says which outcome replaces another. A date without a
 * sent text (skipped, missed, superseded, a test) can be planned again as the next generation.
 */
export type DispatchState = 'planned' | 'released' | TextOutcome;

export interface DispatchesTable {
  user_id: string;
  local_date: string;
  /** `daily`, or `announcement:<message id>`. */
  kind: string;
  generation: Generated<number>;
  id: string;
  state: Generated<DispatchState>;
  due_at: Date;
  timezone: string;
  delivery_hour: number | null;
  frequency: Frequency | null;
  weekday: number | null;
  staff_send_id: string | null;
  scheduled_message_id: string | null;
  template_id: string | null;
  batch_id: string | null;
  windows: JSONColumnType<SendWindow[], string | null, string | null> | null;
  reason: string | null;
  is_test: Generated<boolean>;
  released_at: Date | null;
  republish_at: Date | null;
  republished: Generated<number>;
  settled_at: Date | null;
}
export type Dispatch = Selectable<DispatchesTable>;

export interface BatchesTable {
  id: string;
  /** Identifies the batch: kind and hour, run, or manual send. */
  key: string;
  kind: BatchKind;
  name: string;
  created_at: Date;
  /** How many texts were due when it was created, counted up to `countedUpTo`. Null for batches of earlier versions. */
  expected: number | null;
}
export type Batch = Selectable<BatchesTable>;
export type NewBatch = Omit<Batch, 'expected'>;

export interface HeartbeatsTable {
  name: string;
  looked_at: Date;
}
