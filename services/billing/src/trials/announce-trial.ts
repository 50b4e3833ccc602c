import { perPeriod } from '@daylift/contracts/plans';
import type { BillingDeps } from '../deps.ts';
import { sendNotice } from '../notices/send-notice.ts';
import { money, trialStarted } from '../notices/words.ts';
import { findLaterPayment, findOffer } from '../promotions/find-offer.ts';
import { keepFirstDiscount } from '../promotions/provider-promotion.ts';
import {
  findSubscriptionByStripeId,
  type Subscription,
} from '../subscriptions/subscriptions.repository.ts';

import { syncSubscription } from '../subscriptions/sync-subscription.ts';

/** Emails the price after the trial, the first charge date and how to cancel. */
export async function announceTrial(deps: BillingDeps, id: string): Promise<void> {
  const { db, catalogue } = deps;
  const row = await readWithDiscount(deps, id);
  if (row?.status !== 'trial' || row.trial_end === null || row.cancel_at_period_end) return;
  const { user_id, plan, trial_end: at } = row;
  const cents = row.price_cents ?? catalogue.plans[plan].price_cents;
  const regular = `${money(cents, catalogue.currency)} ${perPeriod(plan)}`;
  const untaxed = (await findOffer(db, catalogue, row))?.price ?? regular;
  const price = row.next_charge_tax_cents ? `${untaxed}, plus tax` : untaxed;
  const later = row.next_charge_cents === 0 ? await findLaterPayment(db, catalogue, row, at) : null;
  const charge = { plan, at, price, later };
  await db
    .transaction()
    .execute((trx) =>
      sendNotice(trx, deps, user_id, `trial-started:${id}`, (to) => trialStarted(to, charge)),
    );
}

async function readWithDiscount(deps: BillingDeps, id: string): Promise<Subscription | undefined> {
  const row = await findSubscriptionByStripeId(deps.db, id);
  if (row === undefined || row.promotion_id === null) return row;
  await keepFirstDiscount(deps, await deps.stripe.subscriptions.retrieve(id));
  await syncSubscription(deps, id);
  return findSubscriptionByStripeId(deps.db, id);
}
