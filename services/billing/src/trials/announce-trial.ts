import type { BillingDeps } from '../deps.ts';
import { sendNotice } from '../notices/send-notice.ts';
import { money, trialStarted } from '../notices/words.ts';
import { findSubscriptionByStripeId } from '../subscriptions/subscriptions.repository.ts';

/** Emails the price after the trial, the first charge date and how to cancel. */
export async function announceTrial(deps: BillingDeps, id: string): Promise<void> {
  const { db, catalogue } = deps;
  const row = await findSubscriptionByStripeId(db, id);
  if (row?.status !== 'trial' || row.trial_end === null || row.cancel_at_period_end) return;
  const { user_id, plan, trial_end: at } = row;
  const cents = row.price_cents ?? catalogue.plans[plan].price_cents;
  const charge = { plan, at, amount: money(cents, catalogue.currency) };
  await db
    .transaction()
    .execute((trx) =>
      sendNotice(trx, deps, user_id, `trial-started:${id}`, (to) => trialStarted(to, charge)),
    );
}
