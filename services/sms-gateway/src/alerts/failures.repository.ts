import { dayMs, hourMs, minuteMs } from '@daylift/clock/durations';
import type { Cleanup } from '@daylift/database/cleanup';
import { type Kysely, sql, type Transaction } from 'kysely';
import { canaryFailedCode } from '../batches/batches.repository.ts';
import type { SmsDatabase } from '../database.ts';
import { logDay } from '../texts/due-texts.repository.ts';
import type { Tally } from './exceeds.ts';

type Db = Kysely<SmsDatabase>;

export interface BatchTally extends Tally {
  id: string;
  name: string;
  created_at: Date;
  /** Too many of its first texts failed, so it waits for an operator. */
  is_held: boolean;
}

const batchesForMs = 26 * hourMs;
/** Longer than the usual gap between two releases, or two receipts, of one batch. */
export const quietMs = 15_000;
const maxBatches = 100;

/** Returns batches with failures and no alert yet, oldest first. Tests don't count. */
export async function findBatchesWithFailures(
  db: Db,
  thresholdPercent: number,
  now: Date,
): Promise<BatchTally[]> {
  const result = await sql<BatchTally>`
    select id, name, created_at, successful - tested as successful, failed, pending,
      coalesce(changed_at <= ${new Date(now.getTime() - quietMs)}, true) as is_quiet,
      coalesce(stop_code = ${canaryFailedCode}, false) as is_held
    from batches
    where failed > 0 and alerted_at is null and created_at >= ${new Date(now.getTime() - batchesForMs)}
      and failed * 100 > ${thresholdPercent} * (successful - tested + failed)
    order by created_at limit ${maxBatches}`.execute(db);
  return result.rows;
}

export async function markAlerted(
  trx: Transaction<SmsDatabase>,
  ids: string[],
  now: Date,
): Promise<void> {
  if (ids.length === 0) return;
  await trx.updateTable('batches').set({ alerted_at: now }).where('id', 'in', ids).execute();
}

/** Counts the texts that settled within the last hour. */
export async function tallyHour(db: Db, now: Date): Promise<Omit<Tally, 'pending'>> {
  const result = await sql<{ successful: number; failed: number; newest: Date | null }>`
    select coalesce(sum(successful), 0)::int as successful, coalesce(sum(failed), 0)::int as failed,
      max(minute) as newest
    from minute_counts where minute > ${new Date(now.getTime() - hourMs)}`.execute(db);
  const { successful, failed, newest } = result.rows[0]!;
  const is_quiet = newest === null || newest.getTime() < now.getTime() - 2 * minuteMs;
  return { successful, failed, is_quiet };
}

export interface FailureReason {
  reason: string;
  texts: number;
}

const failed = sql`state in ('failed', 'refused', 'missed', 'unknown') and not is_test
  and reason is distinct from 'opted_out'`;
const maxReasons = 5;

/** Returns why texts of these batches, or of the last hour, failed; most frequent reason first. */
export async function findFailureReasons(
  db: Db,
  of: { batchIds: string[] } | { lastHour: Date },
): Promise<FailureReason[]> {
  const which =
    'batchIds' in of ? sql`batch_id = any(${of.batchIds}::uuid[])` : settledWithinHour(of.lastHour);
  const result = await sql<FailureReason>`
    select coalesce(reason, state) as reason, count(*)::int as texts from texts
    where ${failed} and ${which}
    group by 1 order by texts desc, 1 limit ${maxReasons}`.execute(db);
  return result.rows;
}

/** Names days and age, so the index is used: no text stays in flight longer than a day. */
function settledWithinHour(now: Date) {
  const day = (offset: number) =>
    new Date(now.getTime() + offset * 24 * hourMs).toISOString().slice(0, 10);
  return sql`batch_id is not null and local_date between ${day(-2)} and ${day(1)} and ${logDay} between ${day(-2)} and ${day(1)}
    and settled_at > ${new Date(now.getTime() - hourMs)}`;
}

export const oldMinutes: Cleanup<SmsDatabase> = {
  table: 'minute_counts',
  column: 'minute',
  keptMs: 8 * dayMs,
};
