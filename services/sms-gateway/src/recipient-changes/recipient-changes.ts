import { dayMs } from '@daylift/clock/durations';
import type { Recipient } from '@daylift/contracts/accounts.events';
import type { SubscriptionState } from '@daylift/contracts/billing.events';
import { smsEvents } from '@daylift/contracts/sms.events';
import { eraseFailedEvents } from '@daylift/events/erase';
import { publish } from '@daylift/events/publish';
import type { Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { assignReplies, deleteReplies } from '../inbound/inbound.repository.ts';
import { eraseLookups, insertLookup } from '../number-lookups/number-lookups.repository.ts';
import type { NumberHash } from '../opt-outs/number-hash.ts';
import { publishOptOutState } from '../opt-outs/opt-outs.ts';
import {
  eraseData,
  isHeldByAnother,
  type KnownNumber,
  lockKnownNumber,
  putEntitlement,
  putRecipient,
  requireConfirmation,
} from '../recipients/recipients.repository.ts';
import { eraseStaffOptOuts } from '../staff-opt-outs/staff-opt-outs.repository.ts';
import { assignTexts, eraseTextsOf, eraseTextsOfDeletedSince } from '../texts/texts.repository.ts';
import type { FirstTextDeps } from '../welcome/consent-requests.ts';
import { queueFirstTexts, welcomeNewNumber } from '../welcome/first-texts.ts';

export interface RecipientDeps extends FirstTextDeps {
  numberHash: NumberHash;
}

/** Stores a user's data from accounts. A late older version changes nothing. */
export async function saveRecipient(
  trx: Transaction<SmsDatabase>,
  data: Recipient,
  deps: RecipientDeps,
): Promise<void> {
  const { user_id, version, phone_proven = true, pending_phone, reply_setting_at, ...rest } = data;
  const { registered_at: _, ...facts } = rest;
  const hashOf = (phone: string | null) => (phone === null ? null : deps.numberHash(phone));
  const numberHash = hashOf(data.phone);
  const pendingHash = hashOf(pending_phone ?? null);
  const before = await lockKnownNumber(trx, user_id);
  const must_confirm =
    !phone_proven &&
    numberHash !== null &&
    (before.number_hash === numberHash
      ? before.must_confirm
      : await isHeldByAnother(trx, user_id, numberHash));
  const values = {
    ...facts,
    version,
    consent: must_confirm && data.consent === 'granted' ? ('pending' as const) : data.consent,
    number_hash: numberHash,
    phone_proven,
    pending_phone: pending_phone ?? null,
    pending_hash: pendingHash,
    must_confirm,
  };
  const now = deps.clock.now();
  const context = { replySettingAt: reply_setting_at ?? null, now };
  if (!(await putRecipient(trx, { user_id, ...values }, context))) return;
  if (before.number_hash !== numberHash) await assignEarlyTexts(trx, user_id, before);
  const isNewlyProven =
    data.phone_proven === true && !(before.phone_proven && before.number_hash === numberHash);
  if (isNewlyProven && numberHash !== null)
    await insertLookup(trx, { number_hash: numberHash, user_id, now });
  await publishOptOut(trx, user_id, before, now);
  await welcomeNewNumber(trx, user_id, before, deps);
  await queueFirstTexts(trx, user_id, deps);
}

/** Assigns what was texted from and to a number that the user leaves, from before it was theirs. */
async function assignEarlyTexts(
  trx: Transaction<SmsDatabase>,
  userId: string,
  { phone, phone_proven }: KnownNumber,
): Promise<void> {
  if (phone === null || !phone_proven) return;
  await assignReplies(trx, phone, userId);
  await assignTexts(trx, phone, userId);
}

/** A first subscription claims the number for good; a second one with the same unproven number waits for its proof. */
async function confirmSecondClaim(
  trx: Transaction<SmsDatabase>,
  userId: string,
  { number_hash, phone_proven, subscription_version }: KnownNumber,
): Promise<void> {
  if (number_hash === null || phone_proven || subscription_version > 0) return;
  if (!(await isHeldByAnother(trx, userId, number_hash))) return;
  await requireConfirmation(trx, userId);
}

/** A signup that has neither paid nor proven its number must not learn about the number's STOP. */
const ownNumberHash = ({ number_hash, phone_proven, subscription_version }: KnownNumber) =>
  phone_proven || subscription_version > 0 ? number_hash : null;

async function publishOptOut(
  trx: Transaction<SmsDatabase>,
  userId: string,
  known: KnownNumber,
  now: Date,
): Promise<void> {
  const before = ownNumberHash(known);
  const after = ownNumberHash(await lockKnownNumber(trx, userId));
  if (after !== before) await publishOptOutState(trx, { user_id: userId, before, after, now });
}

/** Stores billing's decision whether a subscriber may get texts. */
export async function saveEntitlement(
  trx: Transaction<SmsDatabase>,
  data: SubscriptionState,
  deps: RecipientDeps,
): Promise<void> {
  const before = await lockKnownNumber(trx, data.user_id);
  await confirmSecondClaim(trx, data.user_id, before);
  const values = {
    subscription_version: data.version,
    entitled: data.entitled,
    entitled_until: data.entitled_until === null ? null : new Date(data.entitled_until),
  };
  if (!(await putEntitlement(trx, data.user_id, values))) return;
  await publishOptOut(trx, data.user_id, before, deps.clock.now());
  // The first change follows checkout, unless staff gave access. Later ones, such as a retried payment, can arrive at
  // any hour.
  const allowsQuietHours = before.subscription_version === 0 && !data.by_staff ? null : false;
  await queueFirstTexts(trx, data.user_id, deps, allowsQuietHours);
}

/**
 * Removes a person's data from every row, even if nothing else was known yet. A text that a worker holds keeps its
 * number until it settles; the loop `erase-deleted` removes it then.
 */
export async function eraseRecipient(
  trx: Transaction<SmsDatabase>,
  userId: string,
  now: Date,
): Promise<void> {
  await assignEarlyTexts(trx, userId, await lockKnownNumber(trx, userId));
  // Includes messages assigned to the person later; the inbox may show them as a stranger's.
  const inbound_ids = await deleteReplies(trx, userId);
  if (inbound_ids.length > 0)
    await publish(trx, smsEvents, 'sms.replies.erased', { inbound_ids }, now);
  await eraseData(trx, userId, now);
  await eraseTextsOf(trx, userId);
  await eraseStaffOptOuts(trx, userId);
  await eraseLookups(trx, userId);
  await eraseFailedEvents(trx, userId);
}

const recentMs = 7 * dayMs;

export function eraseTextsOfDeleted(trx: Transaction<SmsDatabase>, now: Date): Promise<number> {
  return eraseTextsOfDeletedSince(trx, new Date(now.getTime() - recentMs));
}
