import { minuteMs } from '@daylift/clock/durations';
import { findCatalogue } from '../customers/currency.ts';
import type { BillingDeps } from '../deps.ts';
import { sendNotice } from '../notices/send-notice.ts';
import { money, trialAlreadyUsed } from '../notices/words.ts';
import { findLaterPayment } from '../promotions/find-offer.ts';
import { keepFirstDiscount } from '../promotions/provider-promotion.ts';
import { enqueueTask } from '../provider-tasks/provider-tasks.repository.ts';
import { delayCharge, firstChargeWithoutTrial } from '../subscriptions/free-time.ts';
import { freeDaysOf } from '../subscriptions/provider-subscription.ts';
import {
  findSubscriptionByStripeId,
  isChanging,
} from '../subscriptions/subscriptions.repository.ts';
import { syncSubscription } from '../subscriptions/sync-subscription.ts';

const retryMs = 5_000;

/** Ends a trial whose card or address had one before. On a subscription no longer in trial this would charge again. */
export async function endTrial(deps: BillingDeps, id: string, key: string): Promise<void> {
  const { db, stripe, clock } = deps;
  const before = await findSubscriptionByStripeId(db, id);
  // The change may end the trial too, or charge for another plan.
  if (before !== undefined && (await isChanging(db, before.user_id)))
    return enqueueTask(db, 'end_trial', [id], new Date(clock.now().getTime() + retryMs));
  const subscription = await stripe.subscriptions.retrieve(id);
  // Ending free time would charge for it.
  if (freeDaysOf(subscription) !== null) {
    // Perhaps an earlier attempt moved the charge, and its response was lost.
    await syncSubscription(deps, id);
    await enqueueTask(db, 'announce_first_charge', [id], clock.now());
    return;
  }
  const now = clock.now();
  const chargedAfter = before && firstChargeWithoutTrial(before, now);
  if (chargedAfter && subscription.status === 'trialing') {
    // Enqueued first, so it isn't lost if the next lines are interrupted.
    const announcedAt = new Date(now.getTime() + minuteMs);
    await enqueueTask(db, 'announce_first_charge', [id], announcedAt);
    const trialEnd = (subscription.trial_end ?? Infinity) * 1000;
    const freeEnd = before.comp_until?.getTime() ?? 0;
    const end = Math.max(freeEnd, Math.min(chargedAfter.getTime(), trialEnd));
    await delayCharge(deps, subscription, Math.floor(end / 1000), { endsTrial: true });
    await syncSubscription(deps, id);
    return;
  }
  await keepFirstDiscount(deps, subscription);
  if (subscription.status === 'trialing')
    await stripe.subscriptions.update(id, { trial_end: 'now' }, { idempotencyKey: key });
  const fresh = await syncSubscription(deps, id);
  const row = await findSubscriptionByStripeId(db, id);
  if (row === undefined) return;
  const bill = fresh?.latest_invoice ?? null;
  if (bill === null || typeof bill === 'string') return;
  const catalogue = await findCatalogue(db, deps, row.user_id);
  const charged =
    row.status === 'active'
      ? {
          amount: money(bill.amount_paid, bill.currency),
          later:
            bill.amount_paid === 0 ? await findLaterPayment(db, catalogue, row, clock.now()) : null,
        }
      : null;
  await db
    .transaction()
    .execute((trx) =>
      sendNotice(trx, deps, row.user_id, `trial-already-used:${id}`, (to) =>
        trialAlreadyUsed(to, charged),
      ),
    );
}
