import { dayMs } from '@daylift/clock/durations';
import type { Trx } from '../database.ts';
import type { BillingDeps } from '../deps.ts';
import { sendNotice } from '../notices/send-notice.ts';
import { findShownChange } from '../price-changes/price-changes.repository.ts';
import { enqueueTask } from '../provider-tasks/provider-tasks.repository.ts';
import { changeAccess } from '../staff-actions/free-access.ts';
import { freeTimeEffect } from '../staff-actions/staff-rules.ts';
import { entitlementOf } from '../subscriptions/entitlement.ts';
import { shortenFreeTime } from '../subscriptions/free-time.ts';
import {
  findSubscription,
  lockSubscription,
  type Subscription,
} from '../subscriptions/subscriptions.repository.ts';
import { syncSubscription } from '../subscriptions/sync-subscription.ts';
import { moveReminder } from '../trials/announce-first-charge.ts';
import { giftRestored, giftReturned, giftShortened } from './gift-words.ts';
import {
  findCheckoutPages,
  findGiftHold,
  findGiftOfPayment,
  type Gift,
  lockGiftOfPayment,
  updateGift,
} from './gifts.repository.ts';
import { freeFrom, giveFreeTime } from './give-free-time.ts';

/** Minimum notice before a charge moves to an earlier date, because the recipient isn't the payer. */
const noticeMs = 7 * dayMs;

/**
 * Revokes the rest of a redeemed gift while its payment is disputed or returned, and restores it afterward. A charge
 * that the gift has moved stays until the money is returned for good.
 */
export async function settleGift(
  deps: BillingDeps,
  paymentIntentId: string,
  key: string,
): Promise<void> {
  const { db, refundEndsAccess } = deps;
  await syncMovingCharge(deps, paymentIntentId);
  await db.transaction().execute(async (trx) => {
    const found = await lockGiftOfPayment(trx, paymentIntentId);
    if (!found?.redeemed_by) return;
    const row = await lockSubscription(trx, found.redeemed_by);
    if (row === undefined) return;
    const keptTime = { taken_back_ms: null, postpones_charge: true };
    const keeps = keepsMonths(found, row);
    const gift = keeps ? { ...found, ...keptTime } : found;
    if (keeps) await updateGift(trx, gift.id, keptTime);
    const hold = await findGiftHold(trx, gift.id);
    const isHeld = hold !== null && (hold !== 'refunded' || refundEndsAccess);
    if (!isHeld && gift.taken_back_ms !== null)
      await restore(trx, deps, row, gift, gift.taken_back_ms);
    else if (isHeld && gift.taken_back_ms === null) {
      if (!postponesCharge(gift, row, deps.clock.now())) await takeBack(trx, deps, gift, row);
      else if (hold !== 'disputed') await takeBackMoved(trx, deps, gift, row);
    }
  });
  await moveChargeBack(deps, paymentIntentId, key);
}

/** Reads the charge that is to be moved back: it may have been moved although the request failed. */
async function syncMovingCharge(deps: BillingDeps, paymentIntentId: string): Promise<void> {
  const gift = await findGiftOfPayment(deps.db, paymentIntentId);
  if (!gift?.redeemed_by || !gift.moves_charge) return;
  const row = await findSubscription(deps.db, gift.redeemed_by);
  if (row?.stripe_subscription_id) await syncSubscription(deps, row.stripe_subscription_id);
}

/** Returns whether the provider already has the gift's free time. For old rows, the subscription shows it. */
function postponesCharge(
  { postpones_charge }: Gift,
  { is_live, free_until, comp_until, hold }: Subscription,
  now: Date,
): boolean {
  if (postpones_charge !== null) return postpones_charge;
  if (!is_live || free_until === null) return false;
  if (comp_until === null || comp_until <= now) return true;
  return hold === null && comp_until <= free_until;
}

/** Returns whether a plan has the returned gift's months, because its checkout was paid before it expired. */
function keepsMonths(
  { ends_at, taken_back_ms }: Gift,
  { is_live, free_until, comp_until }: Subscription,
): boolean {
  if (!is_live || free_until === null || comp_until === null || taken_back_ms === null)
    return false;
  // Not if its charge is about to be moved back.
  if (comp_until.getTime() === ends_at?.getTime()) return false;
  // The provider stores seconds.
  return free_until.getTime() === Math.floor((comp_until.getTime() + taken_back_ms) / 1000) * 1000;
}

/** Stores the earlier end of a gift that has moved a charge. */
async function takeBackMoved(
  trx: Trx,
  deps: BillingDeps,
  { id, starts_at, ends_at }: Gift,
  row: Subscription,
): Promise<void> {
  if (starts_at === null || ends_at === null || !row.is_live || row.free_until === null) return;
  const now = deps.clock.now();
  const end = row.free_until.getTime();
  const unused = ends_at.getTime() - Math.max(now.getTime(), starts_at.getTime());
  // The provider may have set an announced price for the next charge, which must not be paid before its date.
  const price = await findShownChange(trx, row);
  const priceAt = price && price.effective_at <= row.free_until ? price.effective_at.getTime() : 0;
  const soonest = Math.max(end - unused, now.getTime() + noticeMs, priceAt);
  const until = new Date(Math.ceil(soonest / 1000) * 1000);
  if (unused <= 0 || until.getTime() >= end) return;
  const taken_back_ms = end - until.getTime();
  const moved = { taken_back_ms, moves_charge: true, postpones_charge: true };
  await updateGift(trx, id, { ends_at: until, ...moved });
  const isCharged = !row.cancel_at_period_end;
  const key = `gift-shortened:${id}:${until.getTime()}`;
  await sendNotice(trx, deps, row.user_id, key, (to) => giftShortened(to, { until, isCharged }));
}

/** Moves the charge to the stored end, unless that's done or other free time has moved it since. */
async function moveChargeBack(
  deps: BillingDeps,
  paymentIntentId: string,
  key: string,
): Promise<void> {
  const gift = await findGiftOfPayment(deps.db, paymentIntentId);
  if (!gift?.redeemed_by || gift.taken_back_ms === null || gift.ends_at === null) return;
  const row = await findSubscription(deps.db, gift.redeemed_by);
  if (!row?.is_live || row.stripe_subscription_id === null) return;
  const { db, clock } = deps;
  const id = row.stripe_subscription_id;
  const move = { from: endBefore(gift.ends_at, gift.taken_back_ms), to: gift.ends_at };
  if (!(await shortenFreeTime(deps, id, move, key))) return;
  await moveReminder(db, id, gift.ends_at, clock.now());
  await updateGift(db, gift.id, { moves_charge: false });
}

const endBefore = (ends_at: Date, taken_back_ms: number): Date =>
  new Date(ends_at.getTime() + taken_back_ms);

async function takeBack(trx: Trx, deps: BillingDeps, gift: Gift, row: Subscription): Promise<void> {
  const { starts_at, ends_at } = gift;
  if (starts_at === null || ends_at === null || row.comp_until === null) return;
  const now = deps.clock.now();
  const until = row.comp_until.getTime();
  // A charge that comes at its end has been moved.
  const charge = freeTimeEffect(row) === 'next_charge' ? row.current_period_end : null;
  const from = Math.max(now.getTime(), charge?.getTime() ?? 0);
  const left = Math.min(ends_at.getTime() - Math.max(from, starts_at.getTime()), until - from);
  if (left <= 0) return;
  await updateGift(trx, gift.id, { taken_back_ms: left });
  // An open page would start a plan with the gift's months.
  await enqueueTask(trx, 'expire_session', await findCheckoutPages(trx, row.user_id), now);
  const comp_until = new Date(until - left);
  await changeAccess(trx, row, { comp_until }, now);
  const { entitled_until } = entitlementOf({ ...row, comp_until }, now);
  if (!row.entitled || entitled_until?.getTime() === row.entitled_until?.getTime()) return;
  const key = `gift-taken-back:${gift.id}:${ends_at.getTime()}`;
  await sendNotice(trx, deps, row.user_id, key, giftReturned);
}

async function restore(
  trx: Trx,
  deps: BillingDeps,
  row: Subscription,
  gift: Gift,
  taken_back_ms: number,
): Promise<void> {
  const { user_id } = row;
  const now = deps.clock.now();
  const from = freeFrom(row, now);
  const keptUntil = keptEnd(row, gift, taken_back_ms, now);
  const until = keptUntil ?? new Date(from.getTime() + taken_back_ms);
  // The gift's time is the last part of kept free time, so a second return takes back no more than that.
  const starts_at = keptUntil === null ? from : new Date(keptUntil.getTime() - taken_back_ms);
  const change = { starts_at, ends_at: until, taken_back_ms: null, moves_charge: false };
  // A reminder may have named the end without it.
  const reset = { reminded_at: null, postpones_charge: keptUntil !== null };
  await updateGift(trx, gift.id, { ...change, ...reset });
  if (keptUntil === null) await giveFreeTime(trx, deps, row, { user_id, until });
  if (until <= now) return;
  const key = `gift-restored:${gift.id}:${until.getTime()}`;
  const hasResumed = !row.entitled;
  await sendNotice(trx, deps, user_id, key, (to) => giftRestored(to, { until, hasResumed }));
}

/** Returns the end of the free time if the provider never moved the charge to an earlier date, so nothing was lost. */
function keptEnd(
  { is_live, free_until }: Subscription,
  { ends_at, moves_charge }: Gift,
  taken_back_ms: number,
  now: Date,
): Date | null {
  if (!moves_charge || ends_at === null) return null;
  const end = endBefore(ends_at, taken_back_ms);
  if (end <= now) return end;
  return is_live && free_until !== null && free_until >= end ? free_until : null;
}
