import { dayMs, hourMs } from '@daylift/clock/durations';
import { queueMail } from '@daylift/mail/mail';
import { sql } from 'kysely';
import type { Db, Trx } from '../database.ts';
import type { ReplyToFetch } from './inbox.table.ts';
import { supportMailKey } from './message-mail.ts';

/** A reply continues a conversation that is open or less than a week old. */
const continuableMs = 7 * dayMs;

export async function findConversationByText(
  trx: Trx,
  sender: { user_id: string } | { phone: string },
  at: Date,
): Promise<string | undefined> {
  const [column, value] =
    'user_id' in sender
      ? (['user_id', sender.user_id] as const)
      : (['phone', sender.phone] as const);
  const found = await trx
    .selectFrom('conversations')
    .select('id')
    .where(column, '=', value)
    .$if('phone' in sender, (query) => query.where('user_id', 'is', null))
    .where('by_text', '=', true)
    .where((where) =>
      where.or([
        where('state', '=', 'open'),
        where('last_at', '>', new Date(at.getTime() - continuableMs)),
        where('answered_at', '>', new Date(at.getTime() - continuableMs)),
      ]),
    )
    .orderBy(sql`greatest(last_at, answered_at)`, 'desc')
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
  return found?.id;
}

export async function reopenWithMessage(
  trx: Trx,
  id: string,
  reply: { needs_review: boolean; in_distress: boolean; at: Date; phone: string | null },
): Promise<void> {
  await trx
    .updateTable('conversations')
    .set({
      state: 'open',
      closed_at: null,
      closed_by: null,
      // Advances with each message, even one that arrives late, so a page with an older value hasn't shown this one.
      last_at: sql`greatest(last_at + interval '1 ms', ${reply.at}::timestamptz)`,
      // Staff who replied before it was stored have not read it.
      answered_at: sql`case when answered_at < ${reply.at}::timestamptz then answered_at end`,
      needs_review: sql`needs_review or ${reply.needs_review}`,
      in_distress: sql`in_distress or ${reply.in_distress}`,
      ...(reply.phone !== null && { phone: reply.phone }),
    })
    .where('id', '=', id)
    .execute();
}

export async function insertReplyToFetch(trx: Trx, reply: ReplyToFetch): Promise<void> {
  await trx
    .insertInto('replies_to_fetch')
    .values(reply)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export function findRepliesToFetch(db: Db, limit: number): Promise<ReplyToFetch[]> {
  return db
    .selectFrom('replies_to_fetch')
    .selectAll()
    .where('next_try_at', '<=', new Date())
    .orderBy('next_try_at')
    .limit(limit)
    .execute();
}

/** Returns false if another replica has taken it or its sender was deleted. */
export async function forgetReply(db: Db, inboundId: string): Promise<boolean> {
  const deleted = await db
    .deleteFrom('replies_to_fetch')
    .where('inbound_id', '=', inboundId)
    .executeTakeFirst();
  return deleted.numDeletedRows > 0n;
}

export async function hasReply(db: Db, inboundId: string): Promise<boolean> {
  const stored = await db
    .selectFrom('letters')
    .select('id')
    .where('inbound_id', '=', inboundId)
    .executeTakeFirst();
  return stored !== undefined;
}

export function countReplies(
  trx: Trx,
  conversationId: string,
  since: Date,
): Promise<{ ofSender: number; ofAll: number }> {
  return trx
    .selectFrom('letters')
    .select((select) => [
      select.fn
        .countAll<number>()
        .filterWhere('conversation_id', '=', conversationId)
        .as('ofSender'),
      select.fn.countAll<number>().as('ofAll'),
    ])
    .where('kind', '=', 'reply')
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow();
}

/** Counts one more reply in the current hour's email. It is sent when the hour is over. */
export async function summarizeReplies(
  trx: Trx,
  now: Date,
  write: (count: number) => { to: string; subject: string; text: string },
): Promise<void> {
  const hour = new Date(Math.floor(now.getTime() / hourMs) * hourMs);
  const { count } = await trx
    .insertInto('skipped_reply_mails')
    .values({ hour, count: 1 })
    .onConflict((conflict) =>
      conflict.column('hour').doUpdateSet({ count: sql`skipped_reply_mails.count + 1` }),
    )
    .returning('count')
    .executeTakeFirstOrThrow();
  const key = `more-replies:${hour.toISOString()}`;
  const { to, ...words } = write(count);
  if (count === 1) await queueMail(trx, { key, to, ...words }, now);
  await trx
    .updateTable('mails')
    .set({ ...words, next_try_at: new Date(hour.getTime() + hourMs) })
    .where('key', '=', key)
    .where('tries', '=', 0)
    .execute();
}

export async function postponeReply(db: Db, inboundId: string, until: Date): Promise<void> {
  await db
    .updateTable('replies_to_fetch')
    .set({ next_try_at: until })
    .where('inbound_id', '=', inboundId)
    .execute();
}

/** Erases replies, the emails that quote them and conversations without any other message. */
export async function eraseReplies(trx: Trx, inboundIds: string[]): Promise<void> {
  if (inboundIds.length === 0) return;
  await trx.deleteFrom('replies_to_fetch').where('inbound_id', 'in', inboundIds).execute();
  const messages = await trx
    .deleteFrom('letters')
    .where('inbound_id', 'in', inboundIds)
    .returning(['id', 'conversation_id'])
    .execute();
  if (messages.length === 0) return;
  const mails = messages.map(({ id }) => supportMailKey(id));
  await trx.deleteFrom('mails').where('key', 'in', mails).execute();
  await trx
    .deleteFrom('conversations')
    .where(
      'id',
      'in',
      messages.map((one) => one.conversation_id),
    )
    .where(
      sql<boolean>`not exists (select 1 from letters where letters.conversation_id = conversations.id)`,
    )
    .execute();
}
