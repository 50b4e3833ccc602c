import type { Kysely, Selectable, Transaction } from 'kysely';
import type { ContentDatabase, ScheduledMessagesTable } from '../database.ts';

type Db = Kysely<ContentDatabase>;
type Trx = Transaction<ContentDatabase>;
export type StoredMessage = Selectable<ScheduledMessagesTable>;
export type MessageFields = Pick<
  StoredMessage,
  'title' | 'content' | 'scheduled_date' | 'scheduled_time' | 'category'
>;

/** Undefined when the date already has its daily message. */
export async function insertMessage(
  trx: Trx,
  message: StoredMessage,
): Promise<StoredMessage | undefined> {
  return trx
    .insertInto('scheduled_messages')
    .values(message)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** Whether the daily message of a date is one that everybody has had. */
export async function isDailySent(db: Db, date: string): Promise<boolean> {
  const row = await db
    .selectFrom('scheduled_messages')
    .select('id')
    .where('scheduled_date', '=', date)
    .where('category', '=', 'daily_motivation')
    .where('sent_at', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** With what was counted of it. Undefined when it was sent, or is not there. */
export async function deleteUnsentMessage(
  trx: Trx,
  id: string,
): Promise<StoredMessage | undefined> {
  const deleted = await trx
    .deleteFrom('scheduled_messages')
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  if (deleted !== undefined)
    await trx.deleteFrom('message_progress').where('scheduled_message_id', '=', id).execute();
  return deleted;
}

export async function messageExists(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('scheduled_messages')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst();
  return row !== undefined;
}

/** The first end counts, and none of a version that was changed since. */
export async function markSent(
  trx: Trx,
  id: string,
  sentAt: Date,
  version: number | undefined,
): Promise<void> {
  await trx
    .updateTable('scheduled_messages')
    .set({ sent_at: sentAt })
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .$if(version !== undefined, (query) => query.where('version', '=', version ?? 0))
    .execute();
}

/** Held until the transaction ends: nobody else changes or deletes it, nor is it told to be sent meanwhile. */
export function lockMessage(trx: Trx, id: string): Promise<StoredMessage | undefined> {
  return trx
    .selectFrom('scheduled_messages')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Throws what `isDayTaken` knows when the date has another daily message. */
export function changeMessage(trx: Trx, id: string, fields: MessageFields): Promise<StoredMessage> {
  return trx
    .updateTable('scheduled_messages')
    .set((set) => ({ ...fields, version: set('version', '+', 1) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Whether the index threw that keeps a date at one daily message. */
export const isDayTaken = (error: unknown): boolean =>
  (error as { constraint?: string } | null)?.constraint === 'scheduled_messages_one_a_day';

/** The same message, made since then. */
export function findTwin(
  trx: Trx,
  fields: MessageFields,
  since: Date,
): Promise<StoredMessage | undefined> {
  return trx
    .selectFrom('scheduled_messages')
    .selectAll()
    .where('scheduled_date', '=', fields.scheduled_date)
    .where('scheduled_time', '=', fields.scheduled_time)
    .where('category', '=', fields.category)
    .where('title', '=', fields.title)
    .where('content', '=', fields.content)
    .where('created_at', '>=', since)
    .executeTakeFirst();
}

/** The daily messages of some dates. */
export function findDailyMessages(db: Db, dates: string[]): Promise<StoredMessage[]> {
  if (dates.length === 0) return Promise.resolve([]);
  return db
    .selectFrom('scheduled_messages')
    .selectAll()
    .where('scheduled_date', 'in', dates)
    .where('category', '=', 'daily_motivation')
    .execute();
}

/** Those of the messages whose dates were free; the others are missing from the answer. */
export function insertMessages(trx: Trx, messages: StoredMessage[]): Promise<StoredMessage[]> {
  return trx
    .insertInto('scheduled_messages')
    .values(messages)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .execute();
}
