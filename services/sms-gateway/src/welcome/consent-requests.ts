import type { Clock } from '@daylift/clock/clock';
import type { accountsEvents } from '@daylift/contracts/accounts.events';
import { isQuietHours, nextMorning } from '@daylift/delivery/send-windows';
import type { Transaction } from 'kysely';
import type { Static } from 'typebox';
import type { SmsDatabase } from '../database.ts';
import { isOptedOut } from '../opt-outs/opt-outs.repository.ts';
import { lockRecipient, type RecipientRow } from '../recipients/recipients.repository.ts';
import { maxWaitMs, reserveText, type SpendDeps } from '../spend/spend-caps.ts';
import { endQueued } from '../texts/due-texts.repository.ts';
import {
  findConsented,
  isRequestedByAnother,
  renewRequest,
} from './consent-requests.repository.ts';
import { findWaitingText, isQueued } from './transactional-texts.repository.ts';
import { queueTransactionalText } from './transactional-texts.ts';
import { consentRequestText, type TransactionalWords } from './words.ts';

type ConsentRequested = Static<(typeof accountsEvents)['accounts.consent.asked']>;

export interface FirstTextDeps extends SpendDeps {
  clock: Clock;
  words: TransactionalWords;
}

/** A recipient with whether a text may be sent to them in quiet hours, because it responds to what they just did. */
export type FirstTextRecipient = RecipientRow & { allows_quiet_hours: boolean };

/** Returns the earliest instant for a text that is ready at `at`: the next morning instead of quiet hours. */
export function deferPastQuietHours(
  { allows_quiet_hours, timezone }: Pick<FirstTextRecipient, 'allows_quiet_hours' | 'timezone'>,
  at: Date,
): Date {
  if (allows_quiet_hours || timezone === null || !isQuietHours(at, timezone)) return at;
  return nextMorning(at, timezone);
}

/** Key of the request that a YES confirms: one per number of a person. */
export const consentKey = (recipient: { user_id: string; number_version: number }): string =>
  `consent_request:${recipient.user_id}:${recipient.number_version}`;

/**
 * Asks a number to reply YES. Returns false if a spend cap refuses it, if another account's request within 24 hours
 * has no reply yet (a YES must answer one question), or if a subscriber gets texts there and would take it for theirs.
 */
export async function queueConsentRequest(
  trx: Transaction<SmsDatabase>,
  recipient: FirstTextRecipient & { phone: string; number_hash: string },
  key: string,
  deps: FirstTextDeps,
): Promise<boolean> {
  if (await isQueued(trx, key)) return true;
  const now = deps.clock.now();
  if ((await findConsented(trx, recipient.number_hash, now)) !== undefined) return false;
  // Checked first, because a request that isn't sent must not count toward a cap.
  if (await isRequestedByAnother(trx, recipient, now)) return false;
  const spend = { ...recipient, now, isPaidFor: false };
  const opens_at = await reserveText(trx, spend, deps);
  // The reservation locks the number, so two accounts can't both find no request.
  if (opens_at === null || (await isRequestedByAnother(trx, recipient, now))) return false;
  await queueTransactionalText(trx, {
    key,
    kind: 'consent_request',
    content: consentRequestText(deps.words, recipient.frequency ?? 'daily'),
    user_id: recipient.user_id,
    reply_to: recipient.phone === recipient.pending_phone ? recipient.phone : null,
    timezone: recipient.timezone ?? 'UTC',
    now,
    opens_at: deferPastQuietHours(recipient, opens_at),
  });
  return true;
}

/** Returns whether the recipient may get texts. Others could have us ask any number of strangers for consent. */
export const isEntitledAt = (
  { entitled, entitled_until }: Pick<RecipientRow, 'entitled' | 'entitled_until'>,
  now: Date,
): boolean => entitled && (entitled_until === null || now < entitled_until);

/** Before a checkout, the number may be a stranger's. */
export const hasSubscribed = (recipient: Pick<RecipientRow, 'subscription_version'>): boolean =>
  recipient.subscription_version > 0;

const replacedByRequest = { state: 'superseded', reason: 'asked_again' } as const;

/** Sends a request that the person asked for, or that a silent number needs. */
export async function requestConsentAgain(
  trx: Transaction<SmsDatabase>,
  { user_id, request_id, recipient_version, by_system = false }: ConsentRequested,
  deps: FirstTextDeps,
): Promise<void> {
  const recipient = await lockRecipient(trx, user_id);
  // The person's own event precedes this one in the stream, so a retry finds the row.
  const isBehind = recipient === undefined || recipient.version < (recipient_version ?? 1);
  if (recipient === undefined || (isBehind && recipient.deleted_at === null))
    throw new Error('consent request for a recipient that is not stored yet');
  const now = deps.clock.now();
  const reason = await consentRequestRefusal(trx, recipient, now);
  const { phone, number_hash } = consentNumberOf(recipient);
  if (reason === null && phone !== null && number_hash !== null) {
    const key = consentKey(recipient);
    const repetitionKey = `${key}:${request_id}`;
    const target = { ...recipient, phone, number_hash, allows_quiet_hours: !by_system };
    if (await queueConsentRequest(trx, target, repetitionKey, deps)) {
      // One that still waits for the morning would be a second text.
      const first = await findWaitingText(trx, key, new Date(now.getTime() + maxWaitMs));
      if (first !== undefined) await endQueued(trx, [{ id: first, ...replacedByRequest }], now);
      // A YES is matched by the number's own key, which makes the first request obsolete.
      await renewRequest(trx, key, repetitionKey, now);
      return;
    }
  }
  if (reason !== null) deps.log.warn({ user_id, reason }, 'consent request dropped');
}

/** Returns the pending number, or else the one on file. */
export function consentNumberOf(recipient: RecipientRow) {
  const { pending_phone, pending_hash, phone, number_hash } = recipient;
  return pending_phone === null
    ? { phone, number_hash }
    : { phone: pending_phone, number_hash: pending_hash };
}

async function consentRequestRefusal(
  trx: Transaction<SmsDatabase>,
  recipient: RecipientRow,
  now: Date,
): Promise<string | null> {
  const { number_hash } = consentNumberOf(recipient);
  if (recipient.deleted_at !== null || number_hash === null) return 'inactive';
  if (!isEntitledAt(recipient, now)) return 'not_entitled';
  if (recipient.pending_phone === null && recipient.consent !== 'pending')
    return `consent_${recipient.consent}`;
  return (await isOptedOut(trx, number_hash)) ? 'opted_out' : null;
}
