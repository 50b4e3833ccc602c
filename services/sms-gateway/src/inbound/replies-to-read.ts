import { dayMs } from '@daylift/clock/durations';
import { smsEvents } from '@daylift/contracts/sms.events';
import { publish } from '@daylift/events/publish';
import type { Kysely, Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';

/** Replies per number and day that reach the inbox. The rest is only stored. */
const dailyLimit = { known: 30, unknown: 5 };

/** Publishes a reply that a person should read, unless the number is flooding the inbox. */
export async function publishReplyToRead(
  trx: Transaction<SmsDatabase>,
  reply: {
    id: string;
    from: string;
    user_id: string | null;
    needs_review: boolean;
    received_at: Date;
  },
  now: Date,
): Promise<void> {
  const { id, from, user_id, needs_review, received_at } = reply;
  const { count } = await trx
    .selectFrom('inbound_texts')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('from_number', '=', from)
    .where('received_at', '>', new Date(received_at.getTime() - dayMs))
    .where((where) => where.or([where('meaning', '=', 'other'), where('needs_review', '=', true)]))
    .executeTakeFirstOrThrow();
  if (count > (user_id === null ? dailyLimit.unknown : dailyLimit.known)) return;
  const at = received_at.toISOString();
  const pointer = { inbound_id: id, user_id, needs_review, at };
  await publish(trx, smsEvents, 'sms.reply.received', pointer, now);
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
