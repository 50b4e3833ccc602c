import { dayMs } from '@daylift/clock/durations';
import { smsEvents } from '@daylift/contracts/sms.events';
import { publish } from '@daylift/events/publish';
import type { Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { countToRead } from './inbound.repository.ts';

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
    is_crisis: boolean;
    received_at: Date;
  },
  now: Date,
): Promise<void> {
  const { id, from, user_id, needs_review, is_crisis, received_at } = reply;
  const count = await countToRead(trx, from, new Date(received_at.getTime() - dayMs));
  const limit = user_id === null ? dailyLimit.unknown : dailyLimit.known;
  if (count > limit && !is_crisis) return;
  const at = received_at.toISOString();
  const pointer = { inbound_id: id, user_id, needs_review, at };
  await publish(trx, smsEvents, 'sms.reply.received', pointer, now);
}
