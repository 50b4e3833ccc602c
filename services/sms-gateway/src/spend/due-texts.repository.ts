import { dayMs } from '@daylift/clock/durations';
import type { schedulerEvents } from '@daylift/contracts/scheduler.events';
import { isRecent } from '@daylift/database/partitions';
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Static } from 'typebox';
import type { SmsDatabase } from '../database.ts';
import { logDay } from '../texts/due-texts.repository.ts';
import type { DueTextsTable } from './spend.table.ts';
import { countSent } from './spend-limit.repository.ts';

type Db = Kysely<SmsDatabase>;
type DueTexts = Static<(typeof schedulerEvents)['scheduler.due_texts.changed']>;

/** Keeps the newest figure. */
export async function saveDueTexts(
  trx: Transaction<SmsDatabase>,
  { until, texts, counted_at }: DueTexts,
  now: Date,
): Promise<void> {
  const sent = await countSent(trx, new Date(Date.parse(until) - dayMs));
  const row = { until: new Date(until), texts, counted_at: new Date(counted_at), sent };
  await trx
    .insertInto('due_texts')
    .values({ ...row, arrived_at: now })
    .onConflict((conflict) =>
      conflict
        .column('singleton')
        .doUpdateSet({ ...row, arrived_at: now })
        .where(sql<boolean>`due_texts.counted_at < excluded.counted_at`),
    )
    .execute();
}

/** Returns the figure for the current day, or undefined before it has arrived. */
export function findDueTexts(db: Db, now: Date): Promise<Selectable<DueTextsTable> | undefined> {
  return db.selectFrom('due_texts').selectAll().where('until', '>', now).executeTakeFirst();
}

/** Returns how many transactional texts were created since an instant. */
export async function countTransactional(db: Db, since: Date, now: Date): Promise<number> {
  const today = now.toISOString().slice(0, 10);
  const { rows } = await sql<{ texts: number }>`
    select count(*)::int as texts from texts
    where ${logDay} in (${today}::date - 1, ${today}::date, ${today}::date + 1) and ${isRecent(now)}
      and created_at >= ${since} and kind not in ('daily', 'announcement')`.execute(db);
  return rows[0]!.texts;
}
