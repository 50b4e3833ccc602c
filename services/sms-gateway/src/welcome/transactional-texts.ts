import { dayMs } from '@daylift/clock/durations';
import { localDateAt, responseWindows } from '@daylift/delivery/send-windows';
import { currentTraceparent } from '@daylift/telemetry/tracing';
import type { Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { deadlineOf } from '../texts/decide-send.ts';
import { newTextId } from '../texts/text-ids.ts';
import { insertTexts } from '../texts/texts.repository.ts';
import {
  type TransactionalTextKind,
  transactionalTextRules,
} from '../texts/transactional-rules.ts';
import { insertKey } from './transactional-texts.repository.ts';

interface OwnText {
  /** Idempotency key. */
  key: string;
  kind: TransactionalTextKind;
  content: string;
  user_id: string | null;
  /** Set for replies only. */
  reply_to: string | null;
  /** The number that a reply was sent to. */
  sender?: string | null;
  /** Hash of `reply_to`; the text goes there even after the account's number has changed. */
  pinned_hash?: string;
  /** The recipient's zone, for the local date. */
  timezone: string;
  now: Date;
  /** Earliest instant; now by default. */
  opens_at?: Date;
  /** Expiry, if it doesn't follow from the kind; until then the text may be sent at any hour. */
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
  if (!(await insertKey(trx, key, id, now))) return false;
  const opensAt = text.opens_at ?? now;
  const windows =
    text.closes_at === undefined
      ? responseWindows(opensAt, transactionalTextRules[kind].validForHours, text.timezone)
      : [{ opens_at: opensAt.toISOString(), closes_at: text.closes_at.toISOString() }];
  const row = {
    id,
    local_date: localDate,
    kind,
    content,
    user_id,
    reply_to,
    sender: text.sender ?? null,
    pinned_hash: text.pinned_hash ?? null,
    windows,
    deadline_at: deadlineOf(windows),
    next_attempt_at:
      text.is_urgent && opensAt <= now ? new Date(now.getTime() - aheadOfAllMs) : opensAt,
    created_at: now,
    traceparent: currentTraceparent(),
  };
  await insertTexts(trx, [row], { now, isPushed: true });
  return true;
}
