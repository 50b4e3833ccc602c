import { dayMs, hourMs } from '@daylift/clock/durations';
import type Stripe from 'stripe';
import type { BillingDeps } from '../deps.ts';
import { freeDaysOf, freeTime } from './provider-subscription.ts';
import { chargesTooEarly } from './subscriptions.actions.ts';
import {
  findSubscriptionByStripeId,
  isFreeByGift,
  moveAccessIntoPlan,
  type Subscription,
  startGiftsAtCharge,
} from './subscriptions.repository.ts';
import { syncSubscription } from './sync-subscription.ts';

/** The provider postpones a checkout's first charge by at least 48 hours. One more hour for slow requests. */
const minFreeMs = 2 * dayMs + hourMs;

/**
 * Returns when a plan chosen during free access is first charged, or null if free access doesn't postpone that. If access
 * ends before the provider's earliest charge time, returns that time rounded up to the hour, or null if the subscriber may
 * have a trial, which covers the rest.
 */
export function firstChargeAfter(
  row: Pick<Subscription, 'comp_until' | 'is_live' | 'status'> | undefined,
  hasTrial: boolean,
  now: Date,
): Date | null {
  if (row === undefined || (row.is_live && row.status !== 'expired')) return null;
  const { comp_until } = row;
  if (comp_until === null || comp_until <= now) return null;
  const earliest = now.getTime() + minFreeMs;
  if (comp_until.getTime() > earliest) return comp_until;
  // In whole hours, so a repeated request finds the same page.
  return hasTrial ? null : new Date(Math.ceil(earliest / hourMs) * hourMs);
}

/** Returns when a plan whose trial ends immediately is first charged, or null if that is today. */
export const firstChargeWithoutTrial = (
  row: Pick<Subscription, 'comp_until' | 'status'>,
  now: Date,
): Date | null => firstChargeAfter({ ...row, is_live: false }, false, now);

/**
 * Makes the provider charge a renewing plan at `end` (Unix seconds) instead of the end of its period. A trial stays one
 * and can be ended, unless `endsTrial`: then it's free time like that of a paid plan.
 */
export async function delayCharge(
  { stripe }: Pick<BillingDeps, 'stripe'>,
  subscription: Stripe.Subscription,
  end: number,
  { endsTrial = false, ...options }: Stripe.RequestOptions & { endsTrial?: boolean } = {},
): Promise<void> {
  const free = freeDaysOf(subscription);
  const isTrialing = subscription.status === 'trialing';
  // The provider keeps the end of earlier free days after they are over.
  const paidFrom =
    isTrialing && free !== null ? free.paidFrom : subscription.items.data[0]?.current_period_start;
  const staysTrial = isTrialing && free === null && !endsTrial;
  await stripe.subscriptions.update(
    subscription.id,
    {
      trial_end: end,
      proration_behavior: 'none',
      ...(!staysTrial && { metadata: freeTime(end, paidFrom ?? 0) }),
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
    const charge = items.data[0]?.current_period_end ?? end;
    if (end > charge) {
      await startGiftsAtCharge(deps.db, row.user_id, new Date(charge * 1000));
      const endsTrial = await isFreeByGift(deps.db, row.user_id, deps.clock.now());
      await delayCharge(deps, subscription, end, { endsTrial });
    }
    // Before it's cleared, so free time given in the meantime starts where this ends.
    await syncSubscription(deps, id);
  } else if (row.current_period_end?.getTime() !== end * 1000) return;
  await moveAccessIntoPlan(deps.db, row.user_id, row.comp_until);
}

/**
 * Moves the charge at the end of free time to an earlier instant, if it's still at the later one. Returns whether it was
 * moved, perhaps by an earlier request.
 */
export async function shortenFreeTime(
  deps: BillingDeps,
  id: string,
  { from, to }: { from: Date; to: Date },
  idempotencyKey: string,
): Promise<boolean> {
  const subscription = await deps.stripe.subscriptions.retrieve(id);
  const free = freeDaysOf(subscription);
  const end = Math.floor(to.getTime() / 1000);
  if (free?.until === end) return true;
  const isFree = subscription.status === 'trialing' && free !== null;
  if (!isFree || free.until * 1000 !== from.getTime()) return false;
  const { cancel_at, cancel_at_period_end } = subscription;
  await deps.stripe.subscriptions.update(
    id,
    {
      ...{ trial_end: end, proration_behavior: 'none' },
      metadata: freeTime(end, free.paidFrom),
      // A plan that was canceled to a date, as in the portal, would be charged before it.
      ...(cancel_at !== null && !cancel_at_period_end && { cancel_at: Math.min(cancel_at, end) }),
    },
    { idempotencyKey },
  );
  await syncSubscription(deps, id);
  return true;
}
