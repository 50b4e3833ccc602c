import type { BatchKind } from '@daylift/contracts/scheduler.events';
import type { Generated } from 'kysely';
import type { Static } from 'typebox';

interface Counts {
  total: Generated<number>;
  successful: Generated<number>;
  failed: Generated<number>;
  pending: Generated<number>;
}

export interface BatchesTable extends Counts {
  id: string;
  kind: Static<typeof BatchKind>;
  name: string;
  created_at: Date;
  version: Generated<number>;
  /** The part of `successful` that went to the test number. */
  tested: Generated<number>;
  /** Failed texts to the test number. `failed` doesn't include them. */
  tests_failed: Generated<number>;
  /** Those of `failed` that missed their send window. */
  missed: Generated<number>;
  opted_out: Generated<number>;
  /** When a count last changed. */
  changed_at: Date | null;
  /** When an alert reported its failures. */
  alerted_at: Date | null;
  /** The rest is held: until `resumes_at`, or until an operator resumes it. */
  stopped_at: Date | null;
  stop_code: string | null;
  resumes_at: Date | null;
  /** The texts that go first; only they are sent while the stop's code is `canary`. */
  canary_ids: string[] | null;
  /** When an operator last resumed it. */
  resumed_at: Date | null;
}

export interface BatchMessagesTable extends Counts {
  batch_id: string;
  scheduled_message_id: string;
}

export interface DailyCountsTable {
  local_date: string;
  successful: Generated<number>;
  failed: Generated<number>;
  cost: Generated<string>;
  delivered: Generated<number>;
  unknown: Generated<number>;
  missed: Generated<number>;
  skipped: Generated<number>;
}

/** Current states by the minute in which the texts settled. */
export interface MinuteCountsTable {
  minute: Date;
  successful: Generated<number>;
  failed: Generated<number>;
}

export interface CountChangesTable {
  position: Generated<number>;
  batch_id: string;
  scheduled_message_id: string | null;
  local_date: string;
  settled_minute: Date | null;
  total: number;
  successful: number;
  failed: number;
  pending: number;
  tested: Generated<number>;
  tests_failed: Generated<number>;
  opted_out: Generated<number>;
  day_successful: number;
  day_failed: number;
  day_cost: string;
  day_delivered: Generated<number>;
  day_unknown: Generated<number>;
  day_missed: Generated<number>;
  day_skipped: Generated<number>;
}
