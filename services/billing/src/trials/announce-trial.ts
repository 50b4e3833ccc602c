import { findCatalogue } from '../customers/currency.ts';
import type { BillingDeps } from '../deps.ts';
import { sendNotice } from '../notices/send-notice.ts';
import { trialStarted } from '../notices/words.ts';
import { describeFirstCharge } from '../promotions/find-offer.ts';
import { keepFirstDiscount } from '../promotions/provider-promotion.ts';
import {
  findSubscriptionByStripeId,
  type Subscription,
} from '../subscriptions/subscriptions.repository.ts';

import { syncSubscription } from '../subscriptions/sync-subscription.ts';

/** Emails the price after the trial, the first charge date and how to cancel. */
export async function announceTrial(deps: BillingDeps, id: string): Promise<void> {
  const { db } = deps;
  const row = await readWithDiscount(deps, id);
  if (row?.status !== 'trial' || row.trial_end === null || row.cancel_at_period_end) return;
  const { user_id } = row;
  const catalogue = await findCatalogue(db, deps, user_id);
  const charge = await describeFirstCharge(db, catalogue, row, row.trial_end);
  await db
    .transaction()
    .execute((trx) =>
      sendNotice(trx, deps, user_id, `trial-started:${id}`, (to) => trialStarted(to, charge)),
    );
}

/** Reads a subscription whose one-time discount may have been used up by the provider's $0 invoice. */
export async function readWithDiscount(
  deps: BillingDeps,
  id: string,
): Promise<Subscription | undefined> {
  const row = await findSubscriptionByStripeId(deps.db, id);
  if (row === undefined || row.promotion_id === null) return row;
  await keepFirstDiscount(deps, await deps.stripe.subscriptions.retrieve(id));
  await syncSubscription(deps, id);
  return findSubscriptionByStripeId(deps.db, id);
}
