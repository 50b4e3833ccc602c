import type { Insertable, Kysely, Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import type { InboundTextsTable } from './inbound.table.ts';

type Trx = Transaction<SmsDatabase>;

/** Returns false if it was stored before. */
export async function insertInboundText(
  trx: Trx,
  text: Insertable<InboundTextsTable>,
): Promise<boolean> {
  const fresh = await trx
    .insertInto('inbound_texts')
    .values(text)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return fresh !== undefined;
}

/** Corrects the meaning of a message that had nothing to apply. */
export async function markAsOther(trx: Trx, id: string): Promise<void> {
  await trx.updateTable('inbound_texts').set({ meaning: 'other' }).where('id', '=', id).execute();
}

/** Returns the words of a number's commands sent after an instant. */
export async function findCommandsSince(trx: Trx, from: string, since: Date): Promise<string[]> {
  const rows = await trx
    .selectFrom('inbound_texts')
    .select('content')
    .where('from_number', '=', from)
    .where('meaning', '=', 'command')
    .where('received_at', '>', since)
    .execute();
  return rows.map(({ content }) => content);
}

/** Counts a number's messages that get automatic replies. */
export async function countAnswered(trx: Trx, from: string, since: Date): Promise<number> {
  const { count } = await trx
    .selectFrom('inbound_texts')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('from_number', '=', from)
    .where('meaning', 'in', ['help', 'command', 'pause', 'time', 'start', 'stop', 'yes'])
    .where('received_at', '>', since)
    .executeTakeFirstOrThrow();
  return count;
}

/** Counts a number's messages that a person should read. */
export async function countToRead(trx: Trx, from: string, since: Date): Promise<number> {
  const { count } = await trx
    .selectFrom('inbound_texts')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('from_number', '=', from)
    .where('received_at', '>', since)
    .where((where) => where.or([where('meaning', '=', 'other'), where('needs_review', '=', true)]))
    .executeTakeFirstOrThrow();
  return count;
}

/** Returns the words of a reply for the inbox, or null once the sender is deleted. */
export async function findReply(
  db: Kysely<SmsDatabase>,
  id: string,
): Promise<{ content: string; from_number: string } | null> {
  const reply = await db
    .selectFrom('inbound_texts')
    .select(['content', 'from_number'])
    .where('id', '=', id)
    .executeTakeFirst();
  return reply ?? null;
}

/** Replies from the number before it was theirs are found by its hash, which is lost after the next change. */
export async function assignReplies(trx: Trx, phone: string, userId: string): Promise<void> {
  await trx
    .updateTable('inbound_texts')
    .set({ user_id: userId })
    .where('from_number', '=', phone)
    .where('user_id', 'is', null)
    .execute();
}

/** Deletes a person's messages and returns their ids. */
export async function deleteReplies(trx: Trx, userId: string): Promise<string[]> {
  const rows = await trx
    .deleteFrom('inbound_texts')
    .where('user_id', '=', userId)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns the address for alerts, or null while alerts are off. */
export async function findAlertAddress(trx: Trx): Promise<string | null> {
  const row = await trx
    .selectFrom('alert_settings')
    .select('email')
    .where('enabled', '=', true)
    .executeTakeFirst();
  return row?.email ?? null;
}
