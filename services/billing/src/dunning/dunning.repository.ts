import { type Selectable, sql } from 'kysely';
import type { Db, DunningTable, Trx } from '../database.ts';

export type Dunning = Selectable<DunningTable>;

/** Returns users with a due reminder. Failed payments, new cards and ends enqueue theirs when they are stored. */
export async function findDueDunning(db: Db, now: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select user_id from dunning d where next_at <= ${now} and not exists (select from provider_tasks t
      where t.kind = 'remind_of_payment' and t.subject = d.user_id::text and t.done_at is null)
    order by next_at limit ${limit}`.execute(db);
  return rows.map((row) => row.user_id);
}

export async function nextDunning(db: Db): Promise<Date | null> {
  const row = await db
    .selectFrom('dunning')
    .select((select) => select.fn.min('next_at').as('at'))
    .executeTakeFirst();
  return row?.at ?? null;
}

export async function findDunning(db: Db, userId: string): Promise<Dunning | undefined> {
  return db.selectFrom('dunning').selectAll().where('user_id', '=', userId).executeTakeFirst();
}

export async function putDunning(trx: Trx, row: Dunning): Promise<void> {
  await trx
    .insertInto('dunning')
    .values(row)
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute();
}

export async function deleteDunning(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('dunning').where('user_id', '=', userId).execute();
}

export const dunningKey = 'dunning:';

/** Deletes reminders that a mail server outage has delayed, because they are outdated. */
export async function deleteUnsentMails(trx: Trx, userId: string): Promise<void> {
  await trx
    .deleteFrom('mails')
    .where('user_id', '=', userId)
    .where('key', 'like', `${dunningKey}%`)
    .where('sent_at', 'is', null)
    .execute();
}
