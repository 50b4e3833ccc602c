import { smsEvents } from '@daylift/contracts/sms.events';
import { publish } from '@daylift/events/publish';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';

const perFold = 2_000;

/**
 * Folds the changes appended by the trigger on `texts` into the counts of batches, messages and days, and publishes
 * each batch's progress. One process at a time, so versions grow in the order of the changes.
 */
export async function foldCounts(db: Kysely<SmsDatabase>, now: Date): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const lock = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(hashtext(current_schema() || '.fold_counts')) as mine`.execute(
      trx,
    );
    if (lock.rows[0]?.mine !== true) return 0;
    const batches = await fold(trx, now);
    if (batches === null) return 0;
    for (const id of batches.ids) await publishProgress(trx, id, now);
    return batches.folded;
  });
}

async function fold(
  trx: Transaction<SmsDatabase>,
  now: Date,
): Promise<{ folded: number; ids: string[] } | null> {
  const result = await sql<{ folded: number; ids: string[] | null }>`
    with taken as (
      delete from count_changes where position in (select position from count_changes order by position limit ${perFold})
      returning *
    ), by_batch as (
      update batches set total = batches.total + d.total, successful = batches.successful + d.successful,
        failed = batches.failed + d.failed, pending = batches.pending + d.pending, tested = batches.tested + d.tested,
        version = version + 1, changed_at = ${now}
      from (select batch_id, sum(total) as total, sum(successful) as successful, sum(failed) as failed,
          sum(pending) as pending, sum(tested) as tested from taken group by batch_id) as d
      where batches.id = d.batch_id
      returning batches.id
    ), by_message as (
      insert into batch_messages (batch_id, scheduled_message_id, total, successful, failed, pending)
      select batch_id, scheduled_message_id, sum(total), sum(successful), sum(failed), sum(pending)
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
  const row = result.rows[0];
  return row === undefined || row.folded === 0 ? null : { folded: row.folded, ids: row.ids ?? [] };
}

async function publishProgress(
  trx: Transaction<SmsDatabase>,
  batchId: string,
  now: Date,
): Promise<void> {
  const batch = await trx
    .selectFrom('batches')
    .select(['id as batch_id', 'version', 'total', 'successful', 'failed', 'pending'])
    .where('id', '=', batchId)
    .executeTakeFirstOrThrow();
  const by_message = await trx
    .selectFrom('batch_messages')
    .select(['scheduled_message_id', 'total', 'successful', 'failed', 'pending'])
    .where('batch_id', '=', batchId)
    .orderBy('scheduled_message_id')
    .execute();
  await publish(trx, smsEvents, 'sms.batch.progressed', { ...batch, by_message }, now);
}
