import type Stripe from 'stripe';
import type { BillingDeps } from '../deps.ts';
import { freeDaysOf } from './provider-subscription.ts';
import { chargesTooEarly } from './subscriptions.actions.ts';
import { clearFreeAccess, findSubscriptionByStripeId } from './subscriptions.repository.ts';
import { syncSubscription } from './sync-subscription.ts';

/** Makes the provider charge a renewing plan at `end` (Unix seconds) instead of the end of its period. */
export async function delayCharge(
  { stripe }: Pick<BillingDeps, 'stripe'>,
  subscription: Stripe.Subscription,
  end: number,
  options: Stripe.RequestOptions = {},
): Promise<void> {
  const free = freeDaysOf(subscription);
  const isTrialing = subscription.status === 'trialing';
  // The provider keeps the end of earlier free days after they are over.
  const paidFrom =
    isTrialing && free !== null ? free.paidFrom : subscription.items.data[0]?.current_period_start;
  const metadata = { free_until: String(end), paid_from: String(paidFrom) };
  await stripe.subscriptions.update(
    subscription.id,
    {
      trial_end: end,
      proration_behavior: 'none',
      ...(!(isTrialing && free === null) && { metadata }),
    },
    options,
  );
}

/** Moves the next charge to the end of free access that was given while the plan was canceled. */
export async function applyFreeTime(deps: BillingDeps, id: string): Promise<void> {
  const row = await findSubscriptionByStripeId(deps.db, id);
  if (row === undefined || row.comp_until === null) return;
  const end = Math.floor(row.comp_until.getTime() / 1000);
  if (chargesTooEarly(row)) {
    const subscription = await deps.stripe.subscriptions.retrieve(id);
    const { status, cancel_at_period_end, cancel_at, items } = subscription;
    const renews = !cancel_at_period_end && cancel_at === null;
    if (!renews || (status !== 'trialing' && status !== 'active')) return;
    if (end > (items.data[0]?.current_period_end ?? end))
      await delayCharge(deps, subscription, end);
    // Before it's cleared, so that free time given meanwhile starts where this ends.
    await syncSubscription(deps, id);
  } else if (row.current_period_end?.getTime() !== end * 1000) return;
  await clearFreeAccess(deps.db, row.user_id, row.comp_until);
}
