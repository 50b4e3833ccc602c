import type { FailedDeliveries, FailedDeliveriesQuery } from '@daylift/contracts/undelivered.http';
import { type Kysely, sql } from 'kysely';
import type { SmsDatabase } from '../database.ts';

type Db = Kysely<SmsDatabase>;

const undelivered = sql`state = 'failed' and kind = 'daily' and not is_test`;

/** Counts a date's undelivered scheduled texts by reason. With a reason, lists the recipients. */
export async function findUndelivered(
  db: Db,
  query: FailedDeliveriesQuery,
): Promise<FailedDeliveries> {
  const [has_texts, groups, people] = await Promise.all([
    hasTexts(db, query.date),
    countByReason(db, query.date),
    query.reason === undefined ? [] : findPeople(db, { ...query, reason: query.reason }),
  ]);
  return { has_texts, groups, people };
}

async function hasTexts(db: Db, date: string): Promise<boolean> {
  const counts = await db
    .selectFrom('daily_counts')
    .select('local_date')
    .where('local_date', '=', date)
    .executeTakeFirst();
  return counts !== undefined;
}

async function countByReason(db: Db, date: string): Promise<FailedDeliveries['groups']> {
  const result = await sql<{ reason: string; people: number }>`
    select coalesce(reason, 'carrier_failed') as reason, count(*) as people from texts
    where local_date = ${date} and ${undelivered} group by 1 order by 1`.execute(db);
  return result.rows;
}

async function findPeople(
  db: Db,
  { date, reason, after, limit }: FailedDeliveriesQuery & { reason: string },
): Promise<FailedDeliveries['people']> {
  const result = await sql<{ user_id: string; ended_at: Date | null }>`
    select user_id, finalized_at as ended_at from texts
    where local_date = ${date} and ${undelivered} and reason = ${reason} and user_id is not null
      and (${after ?? null}::uuid is null or user_id > ${after ?? null}::uuid)
    order by user_id limit ${limit}`.execute(db);
  return result.rows.map(({ user_id, ended_at }) => ({
    user_id,
    ended_at: ended_at?.toISOString() ?? null,
  }));
}
