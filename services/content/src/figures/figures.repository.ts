import type { Db } from '../database.ts';
import type { StoredMessage } from '../scheduled-messages/scheduled-messages.repository.ts';

export async function countMessages(db: Db): Promise<{ total: number; pending: number }> {
  return db
    .selectFrom('scheduled_messages')
    .select((select) => [
      select.fn.countAll<number>().as('total'),
      select.fn.countAll<number>().filterWhere('sent_at', 'is', null).as('pending'),
    ])
    .executeTakeFirstOrThrow();
}

export async function findDailyMessage(db: Db, date: string): Promise<StoredMessage | undefined> {
  return db
    .selectFrom('scheduled_messages')
    .selectAll()
    .where('scheduled_date', '=', date)
    .where('category', '=', 'daily_motivation')
    .where('sent_early', '=', false)
    .executeTakeFirst();
}
