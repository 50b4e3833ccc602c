import type { Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { isOptedOut } from '../opt-outs/opt-outs.repository.ts';
import { findRecipient, type RecipientRow } from '../recipients/recipients.repository.ts';
import { reserveText } from '../spend/spend-caps.ts';
import type { TransactionalTextKind } from '../texts/transactional-rules.ts';
import {
  consentKey,
  deferPastQuietHours,
  type FirstTextDeps,
  type FirstTextRecipient,
  isEntitledAt,
  queueConsentRequest,
} from './consent-requests.ts';
import { findStates, isQueued } from './transactional-texts.repository.ts';
import { queueTransactionalText } from './transactional-texts.ts';
import { welcomeText } from './words.ts';

/**
 * Queues the first text that is due, if any: the welcome once the subscriber is entitled and has consented, or one
 * consent request per number. A number is asked once its account is entitled, so no one is texted before the checkout
 * completes or after the subscription ends. Called after every change of consent or entitlement, in its transaction.
 * `allowsQuietHours` sends it in quiet hours too; null does unless staff made the last change.
 */
export async function queueFirstTexts(
  trx: Transaction<SmsDatabase>,
  userId: string,
  deps: FirstTextDeps,
  allowsQuietHours: boolean | null = null,
): Promise<void> {
  const now = deps.clock.now();
  const found = await findRecipient(trx, userId);
  if (found === undefined) return;
  const recipient = { ...found, allows_quiet_hours: allowsQuietHours ?? !found.by_staff };
  await requestPendingConsent(trx, recipient, deps);
  const kind = dueFirstText(recipient, now);
  if (kind === null || recipient.phone === null || recipient.number_hash === null) return;
  // The number has texted STOP, perhaps for another account. START leads back here.
  if (await isOptedOut(trx, recipient.number_hash)) return;
  const { phone, number_hash } = recipient;
  if (kind === 'consent_request') {
    const key = consentKey(recipient);
    await queueConsentRequest(trx, { ...recipient, phone, number_hash }, key, deps);
    return;
  }
  await welcome(trx, { ...recipient, phone, number_hash }, welcomeKey(userId), deps);
}

const welcomeKey = (userId: string): string => `welcome:${userId}`;

export const isWelcomed = (trx: Transaction<SmsDatabase>, userId: string): Promise<boolean> =>
  isQueued(trx, welcomeKey(userId));

/**
 * Welcomes a number that replaced an earlier one, once it has replied YES to our question. `before` is the recipient
 * before that. Other changes back to `granted`, such as an undone number change, send no welcome.
 */
export async function welcomeNewNumber(
  trx: Transaction<SmsDatabase>,
  userId: string,
  before: Pick<
    RecipientRow,
    'number_hash' | 'pending_hash' | 'number_version' | 'consent' | 'number_changed'
  >,
  deps: FirstTextDeps,
): Promise<void> {
  const recipient = await findRecipient(trx, userId);
  if (recipient === undefined || dueFirstText(recipient, deps.clock.now()) !== 'welcome') return;
  const { phone, number_hash } = recipient;
  const allows_quiet_hours = !recipient.by_staff;
  if (phone === null || number_hash === null || (await isOptedOut(trx, number_hash))) return;
  const wasRequested =
    before.pending_hash === number_hash ||
    (before.number_changed && before.number_hash === number_hash && before.consent === 'pending');
  const requestKey = consentKey({ user_id: userId, number_version: before.number_version });
  if (!wasRequested || !(await isQueued(trx, requestKey)) || !(await isWelcomed(trx, userId)))
    return;
  // A first one that is held up goes to this number, too.
  const [first] = await findStates(trx, [welcomeKey(userId)]);
  if (first?.state === 'queued') return;
  const key = `${welcomeKey(userId)}:${before.number_version}`;
  await welcome(trx, { ...recipient, phone, number_hash, allows_quiet_hours }, key, deps);
}

async function welcome(
  trx: Transaction<SmsDatabase>,
  recipient: FirstTextRecipient & { phone: string; number_hash: string },
  key: string,
  deps: FirstTextDeps,
): Promise<void> {
  if (await isQueued(trx, key)) return;
  const { user_id, phone, number_hash } = recipient;
  const now = deps.clock.now();
  if (!recipient.phone_proven) {
    const spend = { user_id, phone, number_hash, now, isPaidFor: true };
    if ((await reserveText(trx, spend, deps)) === null) return;
  }
  await queueTransactionalText(trx, {
    key,
    kind: 'welcome',
    content: welcomeText(deps.words, recipient.frequency ?? 'daily'),
    user_id,
    reply_to: null,
    timezone: recipient.timezone ?? 'UTC',
    now,
    opens_at: deferPastQuietHours(recipient, now),
  });
}

/** Asks a subscriber's new number immediately; texts go to the old one until it replies. */
async function requestPendingConsent(
  trx: Transaction<SmsDatabase>,
  recipient: FirstTextRecipient,
  deps: FirstTextDeps,
): Promise<void> {
  const { pending_phone, pending_hash, is_active } = recipient;
  if (pending_phone === null || pending_hash === null) return;
  if (!is_active || !isEntitledAt(recipient, deps.clock.now())) return;
  if (await isOptedOut(trx, pending_hash)) return;
  const target = { ...recipient, phone: pending_phone, number_hash: pending_hash };
  await queueConsentRequest(trx, target, consentKey(recipient), deps);
}

function dueFirstText(
  recipient: RecipientRow,
  now: Date,
): (TransactionalTextKind & ('welcome' | 'consent_request')) | null {
  if (recipient.phone === null || !recipient.is_active || recipient.deleted_at !== null)
    return null;
  if (!isEntitledAt(recipient, now)) return null;
  if (recipient.consent === 'granted') return 'welcome';
  return recipient.consent === 'pending' ? 'consent_request' : null;
}
