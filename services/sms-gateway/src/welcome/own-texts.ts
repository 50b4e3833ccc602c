import { dayMs, hourMs } from '@daylift/clock/durations';
import { localDateAt } from '@daylift/delivery/send-windows';
import { currentTraceparent } from '@daylift/telemetry/tracing';
import type { Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { newTextId } from '../texts/text-ids.ts';
import { type OwnTextKind, ownTextRules } from './own-text-rules.ts';

interface OwnText {
  /** What makes it happen once. */
  key: string;
  kind: OwnTextKind;
  content: string;
  user_id: string | null;
  /** Only of an answer. */
  reply_to: string | null;
  /** Hash of `reply_to`; the text goes there even after the account's number has changed. */
  pinned_hash?: string;
  /** The recipient's, for the local date. */
  timezone: string;
  now: Date;
  /** When it may go; now unless given. */
  opens_at?: Date;
  /** When it is of no use any more, if that is not a matter of its kind. */
  closes_at?: Date;
  /** Goes before all that wait already. */
  is_urgent?: boolean;
}

/** Longer than any text waits: what is due so long ago is the first of all. */
const aheadOfAllMs = 2 * dayMs;

/** Queues a text of our own like any other; the same key a second time is nothing. */
export async function queueOwnText(trx: Transaction<SmsDatabase>, text: OwnText): Promise<boolean> {
  const { key, kind, content, user_id, reply_to, now } = text;
  const localDate = localDateAt(now, text.timezone);
  const id = newTextId(localDate);
  const fresh = await trx
    .insertInto('own_text_keys')
    .values({ key, text_id: id, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst();
  if (fresh === undefined) return false;
  const closesAt =
    text.closes_at ?? new Date(now.getTime() + ownTextRules[kind].validForHours * hourMs);
  const opensAt = text.opens_at ?? now;
  const windows = [{ opens_at: opensAt.toISOString(), closes_at: closesAt.toISOString() }];
  await trx
    .insertInto('texts')
    .values({
      id,
      local_date: localDate,
      kind,
      content,
      user_id,
      reply_to,
      pinned_hash: text.pinned_hash ?? null,
      windows: JSON.stringify(windows),
      deadline_at: closesAt,
      next_attempt_at:
        text.is_urgent && opensAt <= now ? new Date(now.getTime() - aheadOfAllMs) : opensAt,
      created_at: now,
      traceparent: currentTraceparent(),
    })
    .execute();
  return true;
}

export async function isQueued(trx: Transaction<SmsDatabase>, key: string): Promise<boolean> {
  const row = await trx
    .selectFrom('own_text_keys')
    .select('key')
    .where('key', '=', key)
    .executeTakeFirst();
  return row !== undefined;
}
