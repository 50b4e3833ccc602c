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

/** Counts a number's messages that get automatic replies. */
export async function countAnswered(trx: Trx, from: string, since: Date): Promise<number> {
  const { count } = await trx
    .selectFrom('inbound_texts')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('from_number', '=', from)
    .where('meaning', 'in', ['help', 'command', 'pause', 'stop', 'yes'])
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
