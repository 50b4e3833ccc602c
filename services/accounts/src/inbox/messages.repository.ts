import { lockKey } from '@daylift/database/advisory-locks';
import type { Insertable } from 'kysely';
import type { Trx } from '../database.ts';
import type { ConversationsTable, SupportMessage } from './inbox.table.ts';

export async function insertMessage(trx: Trx, message: SupportMessage): Promise<void> {
  await trx.insertInto('letters').values(message).execute();
}

export async function insertConversation(
  trx: Trx,
  conversation: Insertable<ConversationsTable>,
): Promise<void> {
  await trx.insertInto('conversations').values(conversation).execute();
}

/** Serializes visitors with the same address, and subscribers, so their messages are counted one by one. */
export async function lockSenders(trx: Trx, senders: string[]): Promise<void> {
  for (const sender of senders.toSorted()) await lockKey(trx, `letter:${sender}`);
}

export async function countMessagesOfVisitor(
  trx: Trx,
  sender: { email: string } | { address_hash: string },
  since: Date,
): Promise<number> {
  const [column, value] =
    'email' in sender
      ? (['email', sender.email] as const)
      : (['address_hash', sender.address_hash] as const);
  const { count } = await trx
    .selectFrom('letters')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('kind', '=', 'contact')
    .where(column, '=', value)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow();
  return count;
}
