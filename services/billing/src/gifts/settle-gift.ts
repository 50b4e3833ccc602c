import type { Trx } from '../database.ts';
import type { BillingDeps } from '../deps.ts';
import { sendNotice } from '../notices/send-notice.ts';
import { changeAccess } from '../staff-actions/free-access.ts';
import { freeTimeEffect } from '../staff-actions/staff-rules.ts';
import { entitlementOf } from '../subscriptions/entitlement.ts';
import { lockSubscription, type Subscription } from '../subscriptions/subscriptions.repository.ts';
import { giftRestored, giftTakenBack } from './gift-words.ts';
import { findGiftHold, type Gift, lockGiftOfPayment, updateGift } from './gifts.repository.ts';
import { freeFrom, giveFreeTime } from './give-free-time.ts';

/**
 * Revokes the rest of a redeemed gift while its payment is disputed or returned, and restores it afterward. Time that
 * moved a charge stays: the recipient was told the date, and isn't the payer.
 */
export async function settleGift(deps: BillingDeps, paymentIntentId: string): Promise<void> {
  const { db, refundEndsAccess } = deps;
  await db.transaction().execute(async (trx) => {
    const gift = await lockGiftOfPayment(trx, paymentIntentId);
    if (!gift?.redeemed_by) return;
    const row = await lockSubscription(trx, gift.redeemed_by);
    if (row === undefined) return;
    const hold = await findGiftHold(trx, gift.id);
    const isHeld = hold !== null && (hold !== 'refunded' || refundEndsAccess);
    if (isHeld && gift.taken_back_ms === null) await takeBack(trx, deps, gift, row);
    else if (!isHeld && gift.taken_back_ms !== null)
      await restore(trx, deps, row, gift, gift.taken_back_ms);
  });
}

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
  const comp_until = new Date(until - left);
  await changeAccess(trx, row, { comp_until }, now);
  const { entitled_until } = entitlementOf({ ...row, comp_until }, now);
  if (!row.entitled || entitled_until?.getTime() === row.entitled_until?.getTime()) return;
  const key = `gift-taken-back:${gift.id}:${ends_at.getTime()}`;
  await sendNotice(trx, deps, row.user_id, key, giftTakenBack);
}

async function restore(
  trx: Trx,
  deps: BillingDeps,
  row: Subscription,
  { id }: Gift,
  taken_back_ms: number,
): Promise<void> {
  const { user_id } = row;
  const starts_at = freeFrom(row, deps.clock.now());
  const until = new Date(starts_at.getTime() + taken_back_ms);
  await updateGift(trx, id, { starts_at, ends_at: until, taken_back_ms: null });
  await giveFreeTime(trx, deps, row, { user_id, until });
  if (row.entitled) return;
  const key = `gift-restored:${id}:${until.getTime()}`;
  await sendNotice(trx, deps, user_id, key, (to) => giftRestored(to, until));
}
