import type { SmsBatch } from '@daylift/contracts/sms.http';
import { reasonInWords } from '@daylift/delivery/reason-words';
import {
  type Insertable,
  type Kysely,
  type RawBuilder,
  type Selectable,
  sql,
  type Transaction,
} from 'kysely';
import type { SmsDatabase } from '../database.ts';
import type { BatchesTable } from './batches.table.ts';

type Trx = Transaction<SmsDatabase>;

/** The code of a stop during which only a few texts of the batch are sent. */
export const canaryCode = 'canary';
/** Too many of these failed. */
export const canaryFailedCode = 'canary_failed';
/** An operator canceled the rest. This stop never ends, because texts may still join, such as those of the morning. */
const canceledCode = 'canceled';
const stopWords: Record<string, string> = {
  [canaryCode]: 'Sending the first texts. The rest follows if they succeed.',
  [canaryFailedCode]: 'Too many of the first texts failed, so the rest is held.',
};

interface BatchCounts {
  id: string;
  name: string;
  created_at: Date;
  total: number;
  successful: number;
  failed: number;
  missed: number;
  opted_out: number;
  pending: number;
  stop_code: string | null;
  resumes_at: Date | null;
}

/** Newest first. Counts are exact: they include changes that are not folded yet. */
export async function findBatches(
  db: Kysely<SmsDatabase>,
  limit: number,
  now: Date,
): Promise<SmsBatch[]> {
  const result = await sql<BatchCounts>`
    with newest as (select * from batches order by created_at desc, id limit ${limit})
    select b.id, b.name, b.created_at, b.total + coalesce(sum(c.total), 0)::int as total,
      b.successful + coalesce(sum(c.successful), 0)::int as successful,
      b.failed + b.tests_failed + coalesce(sum(c.failed + c.tests_failed), 0)::int as failed,
      b.missed + coalesce(sum(c.day_missed), 0)::int as missed,
      b.opted_out + coalesce(sum(c.opted_out), 0)::int as opted_out,
      b.pending + coalesce(sum(c.pending), 0)::int as pending,
      case when ${isStopped(now)} then b.stop_code end
        as stop_code, b.resumes_at
    from newest b left join count_changes c on c.batch_id = b.id
    group by b.id, b.name, b.created_at, b.total, b.successful, b.failed, b.tests_failed, b.missed, b.opted_out,
      b.pending, b.stopped_at, b.stop_code, b.resumes_at
    order by b.created_at desc, b.id`.execute(db);
  return result.rows.map(batchOf);
}

function batchOf(counts: BatchCounts): SmsBatch {
  const { id, name, created_at, total, successful, missed, opted_out, pending } = counts;
  const { stop_code, resumes_at } = counts;
  const failed = counts.failed - missed;
  const tried = successful + failed;
  return {
    id,
    name,
    created_at: created_at.toISOString(),
    total_jobs: total,
    completed_jobs: successful,
    failed_jobs: failed,
    missed_jobs: missed,
    opted_out_jobs: opted_out,
    skipped_jobs: total - successful - counts.failed - opted_out - pending,
    status: statusOf(counts),
    stop:
      stop_code === null
        ? null
        : {
            reason: stopWords[stop_code] ?? reasonInWords(`carrier_${stop_code}`) ?? '',
            resumes_at: resumes_at?.toISOString() ?? null,
          },
    failure_rate: tried === 0 ? 0 : Math.round((failed / tried) * 1_000) / 10,
  };
}

/** A batch is `failed` if it is complete and none of its texts went out, although some should have. */
function statusOf(counts: BatchCounts): SmsBatch['status'] {
  const { total, successful, failed, pending, stop_code } = counts;
  if (pending === 0) return successful === 0 && failed > 0 ? 'failed' : 'completed';
  if (stop_code !== null && stop_code !== canaryCode) return 'stopped';
  return pending === total ? 'pending' : 'processing';
}

/** Folds changes into every count. Returns how many, and the batches that changed. */
export async function foldChanges(
  trx: Trx,
  limit: number,
  now: Date,
): Promise<{ folded: number; batchIds: string[] }> {
  const result = await sql<{ folded: number; ids: string[] | null }>`
    with taken as (
      delete from count_changes where position in (select position from count_changes order by position limit ${limit})
      returning batch_id, scheduled_message_id, local_date, settled_minute, total, successful, failed, pending, tested,
        tests_failed, opted_out, day_successful, day_failed, day_cost, day_delivered, day_unknown, day_missed, day_skipped
    ), by_batch as (
      update batches set total = batches.total + d.total, successful = batches.successful + d.successful,
        failed = batches.failed + d.failed, pending = batches.pending + d.pending, tested = batches.tested + d.tested,
        tests_failed = batches.tests_failed + d.tests_failed, opted_out = batches.opted_out + d.opted_out,
        missed = batches.missed + d.missed, version = version + 1, changed_at = ${now}
      from (select batch_id, sum(total) as total, sum(successful) as successful, sum(failed) as failed,
          sum(pending) as pending, sum(tested) as tested, sum(tests_failed) as tests_failed, sum(opted_out) as opted_out,
          sum(day_missed) as missed
        from taken group by batch_id) as d
      where batches.id = d.batch_id
      returning batches.id
    ), by_message as (
      insert into batch_messages (batch_id, scheduled_message_id, total, successful, failed, pending)
      select batch_id, scheduled_message_id, sum(total), sum(successful), sum(failed + tests_failed), sum(pending)
      from taken where scheduled_message_id is not null group by 1, 2
      on conflict (batch_id, scheduled_message_id) do update set
        total = batch_messages.total + excluded.total, successful = batch_messages.successful + excluded.successful,
        failed = batch_messages.failed + excluded.failed, pending = batch_messages.pending + excluded.pending
    ), by_day as (
      insert into daily_counts (local_date, successful, failed, cost, delivered, unknown, missed, skipped)
      select local_date, sum(day_successful), sum(day_failed), sum(day_cost), sum(day_delivered), sum(day_unknown),
        sum(day_missed), sum(day_skipped) from taken group by 1
      on conflict (local_date) do update set successful = daily_counts.successful + excluded.successful,
        failed = daily_counts.failed + excluded.failed, cost = daily_counts.cost + excluded.cost,
        delivered = daily_counts.delivered + excluded.delivered, unknown = daily_counts.unknown + excluded.unknown,
        missed = daily_counts.missed + excluded.missed, skipped = daily_counts.skipped + excluded.skipped
    ), by_minute as (
      insert into minute_counts (minute, successful, failed)
      select settled_minute, sum(successful - tested), sum(failed) from taken where settled_minute is not null group by 1
      on conflict (minute) do update set successful = minute_counts.successful + excluded.successful,
        failed = minute_counts.failed + excluded.failed
    )
    select (select count(*) from taken) as folded, (select array_agg(id order by id) from by_batch) as ids`.execute(
    trx,
  );
  const { folded = 0, ids } = result.rows[0] ?? {};
  return { folded, batchIds: ids ?? [] };
}

/** Returns a batch's counts, in total and by message. */
export async function readProgress(trx: Trx, batchId: string) {
  const batch = await trx
    .selectFrom('batches')
    .select(['id as batch_id', 'version', 'total', 'successful', 'pending'])
    .select(sql<number>`failed + tests_failed`.as('failed'))
    .where('id', '=', batchId)
    .executeTakeFirstOrThrow();
  const by_message = await trx
    .selectFrom('batch_messages')
    .select(['scheduled_message_id', 'total', 'successful', 'failed', 'pending'])
    .where('batch_id', '=', batchId)
    .orderBy('scheduled_message_id')
    .execute();
  return { ...batch, by_message };
}

/** Skips batches that exist. */
export async function insertBatches(trx: Trx, batches: Insertable<BatchesTable>[]): Promise<void> {
  await trx
    .insertInto('batches')
    // In order, so two releases of new batches don't deadlock.
    .values(batches.toSorted((one, other) => (one.id < other.id ? -1 : 1)))
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/** Returns the batches that are still sending only their first texts, with the ids of these. */
export async function findHolds(
  trx: Trx,
  ids: string[],
): Promise<Map<string, { ids: Set<string>; since: Date }>> {
  const rows = await trx
    .selectFrom('batches')
    .select(['id', 'canary_ids', 'stopped_at'])
    .where('id', 'in', ids)
    .where('stop_code', '=', sql.lit(canaryCode))
    .execute();
  return new Map(
    rows.map((row) => [row.id, { ids: new Set(row.canary_ids), since: row.stopped_at! }]),
  );
}

/** SQL: the batch `b` is stopped, and it wasn't canceled. */
const isStopped = (now: Date) => sql<boolean>`(b.stopped_at is not null
  and (b.resumes_at is null or b.resumes_at > ${now}) and b.stop_code <> ${canceledCode})`;

/**
 * Holds the rest of a batch: until `resumesAt`, or until an operator resumes it. Texts sent before it was last resumed
 * don't stop it again, and those sent before the stop don't prolong it.
 */
export async function stopBatch(
  trx: Trx,
  batchId: string,
  stop: { code: string; sentAt: Date; resumesAt: Date | null; now: Date },
): Promise<void> {
  await trx
    .updateTable('batches')
    .set({ stopped_at: stop.now, stop_code: stop.code, resumes_at: stop.resumesAt })
    .where('id', '=', batchId)
    .where((is) => is.or([is('resumed_at', 'is', null), is('resumed_at', '<', stop.sentAt)]))
    .where('stop_code', 'is distinct from', canceledCode)
    // An operator's decision isn't replaced by a shorter wait.
    .where((is) =>
      stop.resumesAt === null
        ? is.lit(true)
        : is.or([
            is('stopped_at', 'is', null),
            is.and([is('resumes_at', 'is not', null), is('stopped_at', '<', stop.sentAt)]),
          ]),
    )
    .execute();
}

/** Ends a batch's stop by an operator. Returns false if it isn't stopped. */
export async function resumeBatch(trx: Trx, id: string, now: Date): Promise<boolean> {
  if (!(await endStop(trx, id, now))) return false;
  await trx.updateTable('batches').set({ resumed_at: now }).where('id', '=', id).execute();
  return true;
}

/** Ends the rest of a stopped batch by an operator. Returns false if it isn't stopped. */
export const cancelBatch = (trx: Trx, id: string, now: Date): Promise<boolean> =>
  replaceStop(
    trx,
    { id, where: isStopped(now), now },
    { stopped_at: now, stop_code: canceledCode, resumes_at: null },
  );

/** Ends a batch's stop and lets its held texts be sent. Returns false if it isn't stopped. */
export const endStop = (trx: Trx, id: string, now: Date): Promise<boolean> =>
  replaceStop(
    trx,
    { id, where: sql<boolean>`(b.stopped_at is not null and b.stop_code <> ${canceledCode})`, now },
    { stopped_at: null, stop_code: null, resumes_at: null },
  );

/** Makes held texts due, for the worker to send or end them. Returns false if the batch isn't stopped. */
async function replaceStop(
  trx: Trx,
  { id, where, now }: { id: string; where: RawBuilder<boolean>; now: Date },
  stop: Pick<Selectable<BatchesTable>, 'stopped_at' | 'stop_code' | 'resumes_at'>,
): Promise<boolean> {
  const stopped = await trx
    .selectFrom('batches as b')
    .select('b.resumes_at')
    .where('b.id', '=', id)
    .where(where)
    .forUpdate()
    .executeTakeFirst();
  if (stopped === undefined) return false;
  await trx.updateTable('batches').set(stop).where('id', '=', id).execute();
  // Only those that wait for the end of the stop: not for a retry, and not as failed events (`break_offs_parked`).
  await sql`update texts set next_attempt_at = ${now}, enqueued_at = null
    where batch_id = ${id} and state = 'queued' and next_attempt_at > ${now} and due_at <= ${now}
      and next_attempt_at >= coalesce(${stopped.resumes_at}::timestamptz, deadline_at)
      and not exists (select 1 from break_offs b where b.text_id = texts.id and b.times >= 5)`.execute(
    trx,
  );
  return true;
}
