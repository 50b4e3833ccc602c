import type { ReleasedDispatch } from '@daylift/contracts/scheduler.events';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { TextState } from './text-states.ts';

/** Dispatches of the scheduler, and transactional texts. */
export type TextKind =
  | 'daily'
  | 'announcement'
  | 'welcome'
  | 'consent_request'
  | 'help'
  | 'confirmation'
  | 'stop_confirmation'
  | 'crisis_line'
  | 'one_time_code'
  | 'answer'
  | 'test';

export type Slot = NonNullable<ReleasedDispatch['slot']>;
export type Windows = ReleasedDispatch['windows'];

export interface TextsTable {
  id: string;
  local_date: string;
  kind: TextKind;
  user_id: string | null;
  batch_id: string | null;
  scheduled_message_id: string | null;
  content: string;
  windows: JSONColumnType<Windows>;
  deadline_at: Date;
  slot: ColumnType<Slot | null, string | null, string | null>;
  state: Generated<TextState>;
  reason: string | null;
  error_code: string | null;
  attempts: Generated<number>;
  attempt_token: string | null;
  lease_until: Date | null;
  next_attempt_at: Date;
  enqueued_at: Date | null;
  round: Generated<number>;
  /** The number that wrote, or the one to be proven. Otherwise the recipient's number when sending is used. */
  reply_to: string | null;
  /** Hash of `reply_to`, if the text goes there even after the account's number has changed. */
  pinned_hash: string | null;
  /** The number of the first attempt, or the one that a reply was sent to. */
  sender: string | null;
  /** Destination of the last attempt. */
  to_number: string | null;
  body: string | null;
  is_test: Generated<boolean>;
  provider_id: string | null;
  /** Earlier ids, of sends that the provider or a carrier returned unsent. */
  returned_ids: string[] | null;
  handed_at: Date | null;
  settled_at: Date | null;
  finalized_at: Date | null;
  parts: number | null;
  /** A decimal string: money is never a float. */
  cost: string | null;
  currency: string | null;
  check_at: Date | null;
  checks: Generated<number>;
  created_at: Date;
  /** Planned by the scheduler; null for a transactional text. */
  due_at: Date | null;
  /**
   * Since when it has been due, if not since `due_at`: the opening of a later window, or its return by the provider.
   * Retries and held batches don't change it.
   */
  due_since: Date | null;
  /** The trace that its receipts continue. */
  traceparent: string | null;
}

/** Consent requests per number and UTC day, across all accounts. */
export interface TransactionalTextKeysTable {
  key: string;
  text_id: string;
  created_at: Date;
}

/** Attempts that failed before anything was sent, and the error of the last one. */
export interface BreakOffsTable {
  text_id: string;
  local_date: string;
  times: number;
  error: string | null;
  last_at: Date;
}
