import type { Clock } from '@daylift/clock/clock';
import type { accountsEvents } from '@daylift/contracts/accounts.events';
import { smsEvents } from '@daylift/contracts/sms.events';
import { publish } from '@daylift/events/publish';
import { oneTimeCode } from '@daylift/server/one-time-code';
import type { Transaction } from 'kysely';
import type { Static } from 'typebox';
import type { SmsDatabase } from '../database.ts';
import type { TextKind } from '../texts/texts.table.ts';
import { queueOwnText } from './own-texts.ts';
import { codeText, type OwnTextWords } from './words.ts';

type CodeRequested = Static<(typeof accountsEvents)['accounts.code.requested']>;

/** Texts the code that somebody asked for, before all others that wait; the same request a second time is nothing. */
export async function queueCode(
  trx: Transaction<SmsDatabase>,
  { request_id, user_id, expires_at }: CodeRequested,
  { clock, words }: { clock: Clock; words: OwnTextWords },
): Promise<void> {
  const now = clock.now();
  const closesAt = new Date(expires_at);
  if (closesAt <= now) return;
  const recipient = await trx
    .selectFrom('recipients')
    .select(['timezone', 'deleted_at'])
    .where('user_id', '=', user_id)
    .executeTakeFirst();
  if (recipient !== undefined && recipient.deleted_at !== null) return;
  await queueOwnText(trx, {
    key: `one_time_code:${request_id}`,
    kind: 'one_time_code',
    content: codeText(words, placeOf(request_id)),
    user_id,
    reply_to: null,
    timezone: recipient?.timezone ?? 'UTC',
    now,
    closes_at: closesAt,
    is_urgent: true,
  });
}

const placeOf = (requestId: string) => `{{code:${requestId}}}`;
const codePlace = /\{\{code:([0-9a-f-]{36})\}\}/;

/** While testing mode is on no code is texted: accounts, which knows the address, sends it by e-mail. */
export async function askForMail(
  trx: Transaction<SmsDatabase>,
  { user_id, content }: { user_id: string | null; content: string },
  now: Date,
): Promise<void> {
  const request_id = codePlace.exec(content)?.[1];
  if (user_id === null || request_id === undefined) return;
  await publish(trx, smsEvents, 'sms.code.not_texted', { request_id, user_id }, now);
}

/** For whoever reads of the text later. */
export const withoutCode = (words: string): string => words.replace(codePlace, '(code)');

/**
 * The words as the provider gets them. The row of a text names the request of its code and never the code, which is made
 * here, in the moment of the call, and kept nowhere.
 */
export function withCode(kind: TextKind, body: string, key: string): string {
  if (kind !== 'one_time_code') return body;
  return body.replace(codePlace, (_place, requestId: string) => oneTimeCode(key, requestId));
}
