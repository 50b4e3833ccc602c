import type { DispatchKind } from '@daylift/contracts/scheduler.events';
import type { FailedDeliveries, FailedDeliveriesQuery } from '@daylift/contracts/undelivered.http';
import { type Kysely, sql } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { stopReason } from '../freeze/why-stopped.ts';

type Db = Kysely<SmsDatabase>;

/** Daily texts have their own index. */
const undelivered = (kind: DispatchKind = 'daily') =>
  sql`state = 'failed' and kind = ${sql.lit(kind)} and not is_test`;

/** Counts a date's undelivered scheduled texts by reason. With a reason, lists the recipients. */
export async function findUndelivered(
  db: Db,
  query: FailedDeliveriesQuery,
): Promise<FailedDeliveries> {
  const [has_texts, stopped, groups, people] = await Promise.all([
    hasTexts(db, query.date),
    stopReason(db),
    countByReason(db, query),
    query.reason === undefined ? [] : findPeople(db, { ...query, reason: query.reason }),
  ]);
  return { has_texts, stopped, groups, people };
}

async function hasTexts(db: Db, date: string): Promise<boolean> {
  const counts = await db
    .selectFrom('daily_counts')
    .select('local_date')
    .where('local_date', '=', date)
    .executeTakeFirst();
  return counts !== undefined;
}

async function countByReason(
  db: Db,
  { date, kind }: FailedDeliveriesQuery,
): Promise<FailedDeliveries['groups']> {
  const result = await sql<{ reason: string; people: number }>`
    select coalesce(reason, 'carrier_failed') as reason, count(distinct user_id) as people from texts
    where local_date = ${date} and ${undelivered(kind)} group by 1 order by 1`.execute(db);
  return result.rows;
}

async function findPeople(
  db: Db,
  { date, kind, reason, after, limit }: FailedDeliveriesQuery & { reason: string },
): Promise<FailedDeliveries['people']> {
  const result = await sql<{ user_id: string; text_id: string; ended_at: Date | null }>`
    select distinct on (user_id) user_id, id as text_id, finalized_at as ended_at from texts
    where local_date = ${date} and ${undelivered(kind)} and reason = ${reason} and user_id is not null
      and (${after ?? null}::uuid is null or user_id > ${after ?? null}::uuid)
    order by user_id, due_at limit ${limit}`.execute(db);
  return result.rows.map(({ ended_at, ...text }) => ({
    ...text,
    ended_at: ended_at?.toISOString() ?? null,
  }));
}
