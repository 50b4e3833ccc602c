import { dayMs, hourMs } from '@daylift/clock/durations';
import type { GiftOffer, RedeemedGift, RedeemGiftRequest } from '@daylift/contracts/gifts.http';
import type { GiftLength } from '@daylift/contracts/plans';
import { findOrFetchCustomer } from '../customers/customers.actions.ts';
import { lockCustomer } from '../customers/customers.repository.ts';
import type { Db, Trx } from '../database.ts';
import type { BillingDeps } from '../deps.ts';
import {
  GiftDisputed,
  GiftNeedsSignIn,
  GiftPaymentOverdue,
  GiftRefunded,
  GiftTooLong,
  GiftUnknown,
  GiftUsed,
  GiftVoid,
  PlanUnavailable,
  UnknownSignup,
} from '../errors.ts';
import { sendNotice } from '../notices/send-notice.ts';
import { whenFree } from '../plans/plans.actions.ts';
import { isProviderError } from '../stripe-client.ts';
import {
  findSubscription,
  isChanging,
  lockSubscription,
} from '../subscriptions/subscriptions.repository.ts';
import { syncSubscription } from '../subscriptions/sync-subscription.ts';
import { hashOfCode } from './gift-codes.ts';
import { giftRedeemed } from './gift-words.ts';
import {
  findGiftByHash,
  findGiftHold,
  type Gift,
  giftEnd,
  lockGift,
  updateGift,
} from './gifts.repository.ts';
import { freeFrom, giveFreeTime } from './give-free-time.ts';

/** The provider postpones a charge by two years at most. */
const maxFreeMs = 731 * dayMs;
/** How long a new signup needs no sign-in. Unpaid signups may be deleted after a day. */
const signupMs = 23 * hourMs;

export async function rejectUnlessReady(db: Db, gift: Gift): Promise<void> {
  if (gift.redeemed_by !== null) throw new GiftUsed();
  if (gift.voided_at !== null) throw new GiftVoid();
  const hold = await findGiftHold(db, gift.id);
  if (hold !== null) throw hold === 'refunded' ? new GiftRefunded() : new GiftDisputed();
}

async function findByCode(db: Db, code: string): Promise<Gift> {
  const gift = await findGiftByHash(db, hashOfCode(code));
  if (gift === undefined) throw new GiftUnknown();
  return gift;
}

export async function readGift({ db }: BillingDeps, code: string): Promise<GiftOffer> {
  const gift = await findByCode(db, code);
  await rejectUnlessReady(db, gift);
  const { months, buyer_name, message } = gift;
  return { months, buyer_name, message };
}

/** Gives a gift's months to one subscriber, once. A repeated request of the same subscriber returns the same. */
export async function redeemGift(
  deps: BillingDeps,
  { gift_code, subscription_id }: RedeemGiftRequest,
  signedInUser: string | null,
): Promise<RedeemedGift> {
  const { id } = await findByCode(deps.db, gift_code);
  const customer = await findOrFetchCustomer(deps, subscription_id);
  if (customer === undefined) throw new UnknownSignup();
  const { user_id } = customer;
  if (signedInUser === user_id) await syncPeriod(deps, user_id);
  // A plan change in progress has computed its charge without the free time.
  const redeemed = await whenFree(deps, user_id, () =>
    deps.db.transaction().execute(async (trx) => {
      const gift = await lockGift(trx, id);
      if (gift === undefined) throw new GiftUnknown();
      const { months, redeemed_by } = gift;
      const end = giftEnd(gift);
      if (redeemed_by === user_id && end !== null) return { months, until: end };
      await rejectUnlessReady(trx, gift);
      const until = await applyGift(trx, deps, gift, user_id, signedInUser === user_id);
      return until && { months, until };
    }),
  );
  deps.wake('provider-tasks');
  return { ...redeemed, until: redeemed.until.toISOString() };
}

/** Reads the end of the period, because a renewal may not be stored yet. */
async function syncPeriod(deps: BillingDeps, userId: string): Promise<void> {
  const row = await findSubscription(deps.db, userId);
  if (!row?.is_live || row.stripe_subscription_id === null) return;
  try {
    await syncSubscription(deps, row.stripe_subscription_id);
  } catch (error) {
    if (!isProviderError(error)) throw error;
    deps.log.error({ err: error }, 'subscription lookup failed');
    throw new PlanUnavailable();
  }
}

/** Returns the end of the free time, or null while the recipient's plan is being changed. */
async function applyGift(
  trx: Trx,
  deps: BillingDeps,
  { id, months }: Gift,
  user_id: string,
  isOwner: boolean,
): Promise<Date | null> {
  const now = deps.clock.now();
  const customer = await lockCustomer(trx, user_id);
  if (await isChanging(trx, user_id)) return null;
  const row = await lockSubscription(trx, user_id);
  if (customer === undefined || customer.deleted_at !== null) throw new UnknownSignup();
  const age = now.getTime() - customer.registered_at.getTime();
  if (!isOwner && (row !== undefined || age >= signupMs)) throw new GiftNeedsSignIn();
  if (row?.status === 'past_due') throw new GiftPaymentOverdue();
  const starts_at = freeFrom(row, now);
  const until = addMonths(starts_at, months);
  if (until.getTime() > now.getTime() + maxFreeMs) throw new GiftTooLong();
  const movesCharge = await giveFreeTime(trx, deps, row, { user_id, until });
  await updateGift(trx, id, {
    ...{ redeemed_by: user_id, redeemed_at: now, starts_at, ends_at: until },
    postpones_charge: false,
  });
  await sendNotice(trx, deps, user_id, `gift-redeemed:${id}`, (to) =>
    giftRedeemed(to, { months, until, movesCharge }),
  );
  return until;
}

function addMonths(from: Date, months: GiftLength): Date {
  const start = Temporal.Instant.fromEpochMilliseconds(from.getTime()).toZonedDateTimeISO('UTC');
  return new Date(start.add({ months }).epochMilliseconds);
}
