import type { BillingDeps } from '../deps.ts';
import { sendNotice } from '../notices/send-notice.ts';
import { changeAccess } from '../staff-actions/free-access.ts';
import { lockSubscription } from '../subscriptions/subscriptions.repository.ts';
import { giftTakenBack } from './gift-words.ts';
import { findGiftHold, lockGiftOfPayment, updateGift } from './gifts.repository.ts';

/**
 * Revokes the rest of a redeemed gift while its payment is disputed or returned, and restores it afterward. Time that
 * moved a charge or lengthened a trial stays: the recipient was told the date, and isn't the payer.
 */
export async function settleGift(deps: BillingDeps, paymentIntentId: string): Promise<void> {
  const { db, clock, refundEndsAccess } = deps;
  await db.transaction().execute(async (trx) => {
    const gift = await lockGiftOfPayment(trx, paymentIntentId);
    if (!gift?.redeemed_by || gift.starts_at === null || gift.ends_at === null) return;
    const row = await lockSubscription(trx, gift.redeemed_by);
    if (row === undefined) return;
    const now = clock.now();
    const hold = await findGiftHold(trx, gift.id);
    const isHeld = hold !== null && (hold !== 'refunded' || refundEndsAccess);
    const until = row.comp_until?.getTime() ?? 0;
    if (isHeld && gift.taken_back_ms === null) {
      const left = gift.ends_at.getTime() - Math.max(now.getTime(), gift.starts_at.getTime());
      if (left <= 0 || until <= now.getTime()) return;
      await updateGift(trx, gift.id, { taken_back_ms: left });
      await changeAccess(trx, row, { comp_until: new Date(until - left) }, now);
      const key = `gift-taken-back:${gift.id}:${gift.ends_at.getTime()}`;
      await sendNotice(trx, deps, row.user_id, key, giftTakenBack);
    } else if (!isHeld && gift.taken_back_ms !== null) {
      const starts_at = new Date(Math.max(until, now.getTime()));
      const ends_at = new Date(starts_at.getTime() + gift.taken_back_ms);
      await updateGift(trx, gift.id, { starts_at, ends_at, taken_back_ms: null });
      await changeAccess(trx, row, { comp_until: ends_at }, now);
    }
  });
}
