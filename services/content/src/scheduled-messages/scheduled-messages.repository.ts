import type { Selectable } from 'kysely';
import type { Db, ScheduledMessagesTable, Trx } from '../database.ts';

export type StoredMessage = Selectable<ScheduledMessagesTable>;
export type MessageFields = Pick<
  StoredMessage,
  'title' | 'content' | 'scheduled_date' | 'scheduled_time' | 'category'
>;

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

/** Returns whether a date's daily message was sent to everyone. */
export async function isDailySent(db: Db, date: string): Promise<boolean> {
  const row = await db
    .selectFrom('scheduled_messages')
    .select('id')
    .where('scheduled_date', '=', date)
    .where('category', '=', 'daily_motivation')
    .where('sent_early', '=', false)
    .where('sent_at', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the deleted message with its counts, or undefined if it was sent or doesn't exist. */
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

/** Records only the first completion, and only of the current version. An early one frees the date. */
export async function markSent(
  trx: Trx,
  id: string,
  sentAt: Date,
  { version, sent_early }: { version?: number; sent_early?: boolean },
): Promise<void> {
  await trx
    .updateTable('scheduled_messages')
    .set({ sent_at: sentAt, sent_early: sent_early ?? false })
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .$if(version !== undefined, (query) => query.where('version', '=', version ?? 0))
    .execute();
}

/** Locks a message against changes, deletion and completion until the transaction ends. */
export function lockMessage(trx: Trx, id: string): Promise<StoredMessage | undefined> {
  return trx
    .selectFrom('scheduled_messages')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Throws an error that `isDayTaken` recognizes if the date has another daily message. */
export function changeMessage(trx: Trx, id: string, fields: MessageFields): Promise<StoredMessage> {
  return trx
    .updateTable('scheduled_messages')
    .set((set) => ({ ...fields, version: set('version', '+', 1) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Returns whether the unique index on daily messages was violated. */
export const isDayTaken = (error: unknown): boolean =>
  (error as { constraint?: string } | null)?.constraint === 'scheduled_messages_one_a_day';

/** Returns an identical message created since then. */
export function findDuplicate(
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

export function findDailyMessages(db: Db, dates: string[]): Promise<StoredMessage[]> {
  if (dates.length === 0) return Promise.resolve([]);
  return db
    .selectFrom('scheduled_messages')
    .selectAll()
    .where('scheduled_date', 'in', dates)
    .where('category', '=', 'daily_motivation')
    .where('sent_early', '=', false)
    .execute();
}

/** Inserts the messages with free dates and returns them. */
export function insertMessages(trx: Trx, messages: StoredMessage[]): Promise<StoredMessage[]> {
  return trx
    .insertInto('scheduled_messages')
    .values(messages)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .execute();
}
