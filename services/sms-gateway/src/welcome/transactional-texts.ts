import { dayMs, hourMs } from '@daylift/clock/durations';
import { localDateAt } from '@daylift/delivery/send-windows';
import { currentTraceparent } from '@daylift/telemetry/tracing';
import type { Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { newTextId } from '../texts/text-ids.ts';
import { type TransactionalTextKind, transactionalTextRules } from './transactional-rules.ts';

interface OwnText {
  /** Idempotency key. */
  key: string;
  kind: TransactionalTextKind;
  content: string;
  user_id: string | null;
  /** Set for replies only. */
  reply_to: string | null;
  /** Hash of `reply_to`; the text goes there even after the account's number has changed. */
  pinned_hash?: string;
  /** The recipient's zone, for the local date. */
  timezone: string;
  now: Date;
  /** Earliest instant; now by default. */
  opens_at?: Date;
  /** Expiry, if it doesn't follow from the kind. */
  closes_at?: Date;
  /** Sent before everything that already waits. */
  is_urgent?: boolean;
}

/** Longer than any text waits, so a text due this long ago comes first. */
const aheadOfAllMs = 2 * dayMs;

/** Queues a transactional text. Returns false if the key is already used. */
export async function queueTransactionalText(
  trx: Transaction<SmsDatabase>,
  text: OwnText,
): Promise<boolean> {
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
    text.closes_at ?? new Date(now.getTime() + transactionalTextRules[kind].validForHours * hourMs);
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
