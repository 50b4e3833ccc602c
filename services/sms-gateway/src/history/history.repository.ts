import type { HistoryItem } from '@daylift/contracts/sms.http';
import type { Kysely } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { statusOf } from '../texts/text-states.ts';
import type { DayCount } from './streak.ts';

/** Texts that went to the subscriber, or may have; not the ones of our own and no tests. */
const ofSubscriber = (db: Kysely<SmsDatabase>, userId: string) =>
  db
    .selectFrom('texts')
    .where('user_id', '=', userId)
    .where('kind', 'in', ['daily', 'announcement'])
    .where('is_test', '=', false);

export async function findHistory(
  db: Kysely<SmsDatabase>,
  userId: string,
  limit: number,
): Promise<HistoryItem[]> {
  const rows = await ofSubscriber(db, userId)
    .select(['id', 'body', 'content', 'handed_at', 'local_date', 'state'])
    .where('state', 'in', ['accepted', 'sent', 'delivered', 'failed', 'unknown'])
    .where('handed_at', 'is not', null)
    .orderBy('local_date', 'desc')
    .orderBy('handed_at', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    message_content: row.body ?? row.content,
    sent_at: row.handed_at!.toISOString(),
    local_date: row.local_date,
    status: statusOf(row.state),
  }));
}

/** How many texts came on which local date, as far as is known. */
export async function countByDay(db: Kysely<SmsDatabase>, userId: string): Promise<DayCount[]> {
  return ofSubscriber(db, userId)
    .select(['local_date', (select) => select.fn.countAll<number>().as('count')])
    .where('state', 'in', ['accepted', 'sent', 'delivered'])
    .groupBy('local_date')
    .execute();
}

export async function findTimezone(
  db: Kysely<SmsDatabase>,
  userId: string,
): Promise<string | null> {
  const row = await db
    .selectFrom('recipients')
    .select('timezone')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.timezone ?? null;
}
