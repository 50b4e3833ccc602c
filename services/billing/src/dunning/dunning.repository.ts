import { type Selectable, sql } from 'kysely';
import type { Db, DunningTable, Trx } from '../database.ts';

export type Dunning = Selectable<DunningTable>;

/** Returns users with a due reminder, a payment to confirm, or reminders to end. */
export async function findDueDunning(db: Db, now: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select user_id from (
      select s.user_id from subscriptions s left join dunning d on d.user_id = s.user_id
      where s.status = 'past_due' and s.hold is null and (d.user_id is null or d.since <> s.past_due_since
        or d.next_at <= ${now} or (s.confirm_url is not null and not d.confirm_asked))
      union
      select d.user_id from dunning d join subscriptions s on s.user_id = d.user_id where s.status <> 'past_due' or s.hold is not null
    ) due
    where not exists (select from provider_tasks t
      where t.kind = 'remind_of_payment' and t.subject = due.user_id::text and t.done_at is null)
    limit ${limit}`.execute(db);
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
