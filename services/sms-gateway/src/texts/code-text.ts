import { smsEvents } from '@daylift/contracts/sms.events';
import { publish } from '@daylift/events/publish';
import { linkToken, oneTimeCode } from '@daylift/server/one-time-code';
import type { Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { provesNumber } from './decide-send.ts';
import type { TextKind } from './texts.table.ts';

const codePlace = /\{\{code:([0-9a-f-]{36})\}\}/;
const linkPlace = /\{\{link:([0-9a-f-]{36})\}\}/;
/** In testing mode no code is texted. Accounts emails it, unless it is meant to prove the number. */
export async function requestCodeEmail(
  trx: Transaction<SmsDatabase>,
  text: { user_id: string | null; content: string; kind: TextKind; reply_to: string | null },
  now: Date,
): Promise<void> {
  const { user_id } = text;
  const request_id = codePlace.exec(text.content)?.[1];
  if (user_id === null || request_id === undefined || provesNumber(text)) return;
  await publish(trx, smsEvents, 'sms.code.not_texted', { request_id, user_id }, now);
}

/** Removes the code for everyone who reads the text later. */
export const withoutCode = (words: string): string =>
  words.replace(codePlace, '(code)').replace(linkPlace, '(link)');

/**
 * Returns the words for the provider. A row names only the request of its code; the code is derived here, right before
 * the call, and stored nowhere.
 */
export function withCode(kind: TextKind, body: string, key: string): string {
  if (kind !== 'one_time_code') return body;
  return body
    .replace(codePlace, (_place, requestId: string) => oneTimeCode(key, requestId))
    .replace(linkPlace, (_place, linkId: string) => linkToken(key, linkId));
}
