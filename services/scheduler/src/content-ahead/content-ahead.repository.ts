import { type Kysely, sql, type Transaction } from 'kysely';
import type { SchedulerDatabase } from '../database.ts';

type Db = Kysely<SchedulerDatabase>;

/** Returns which of these dates have subscribers due, no message and an empty library. */
export async function findDatesWithoutContent(db: Db, dates: string[]): Promise<string[]> {
  if (dates.length === 0) return [];
  const result = await sql<{ date: string }>`
    select wanted.date from unnest(${dates}::date[]) as wanted (date)
    where not exists (select from templates where is_active)
      and not exists (select from scheduled_messages where scheduled_date = wanted.date
        and category = 'daily_motivation' and not is_deleted and not sent_early)
      and exists (select from subscribers where next_local_date <= wanted.date)
    order by wanted.date`.execute(db);
  return result.rows.map((row) => row.date);
}

/** Returns whether this is the first alert for the date. */
export async function rememberAlert(
  trx: Transaction<SchedulerDatabase>,
  date: string,
  now: Date,
): Promise<boolean> {
  const row = await trx
    .insertInto('content_alerts')
    .values({ local_date: date, alerted_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('local_date')
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes all alerts except those for these dates. */
export async function forgetAlerts(db: Db, but: string[]): Promise<void> {
  await sql`delete from content_alerts where local_date <> all (${but}::date[])`.execute(db);
}
