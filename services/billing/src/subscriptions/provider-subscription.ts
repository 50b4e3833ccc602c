import type { PlanId, SubscriptionStatus } from '@daylift/contracts/fields';
import type Stripe from 'stripe';
import { idOf, instantOf } from '../stripe-client.ts';

/** What a subscription at Stripe says, in our words. */
export interface ProviderSubscription {
  id: string;
  stripe_customer_id: string;
  /** As written by our checkout; only for a customer that we don't know by its own id. */
  user_id: string | null;
  status: SubscriptionStatus;
  is_live: boolean;
  plan: PlanId;
  started_at: Date;
  trial_end: Date | null;
  current_period_end: Date | null;
  cancel_at_period_end: boolean;
  cancel_at: Date | null;
  /** When the oldest payment failed that is still owed; null unless past due. */
  payment_failed_at: Date | null;
  card_fingerprint: string | null;
}

/** What has to be expanded for `readSubscription`. */
export const subscriptionPart = 'default_payment_method';

const statuses: Record<string, SubscriptionStatus> = {
  trialing: 'trial',
  active: 'active',
  past_due: 'past_due',
  canceled: 'canceled',
  incomplete: 'pending',
  incomplete_expired: 'expired',
  unpaid: 'expired',
  paused: 'expired',
};

const ended = new Set(['canceled', 'incomplete_expired']);

/** Puts a subscription, and what is owed for it, into our words. */
export async function readSubscription(
  stripe: Stripe,
  subscription: Stripe.Subscription,
): Promise<ProviderSubscription> {
  const pastDue = subscription.status === 'past_due';
  const failedAt = pastDue ? await findFailedPayment(stripe, subscription.id) : null;
  return { ...translateSubscription(subscription), payment_failed_at: failedAt };
}

/** A renewal's first charge is tried when its invoice is finalized. */
async function findFailedPayment(stripe: Stripe, subscription: string): Promise<Date | null> {
  const { data } = await stripe.invoices.list({ subscription, status: 'open', limit: 100 });
  const instants = data
    .map((invoice) => invoice.status_transitions.finalized_at)
    .filter((instant) => instant !== null);
  return instants.length === 0 ? null : instantOf(Math.min(...instants));
}

function translateSubscription(
  subscription: Stripe.Subscription,
): Omit<ProviderSubscription, 'payment_failed_at'> {
  const item = subscription.items.data[0];
  const periodEnd = item === undefined ? null : instantOf(item.current_period_end);
  // A cancellation by the portal sets only cancel_at, one by the API only the boolean.
  const cancelAt =
    subscription.cancel_at !== null
      ? instantOf(subscription.cancel_at)
      : subscription.cancel_at_period_end
        ? periodEnd
        : null;
  const isLive = !ended.has(subscription.status);
  return {
    id: subscription.id,
    stripe_customer_id: idOf(subscription.customer) ?? '',
    user_id: subscription.metadata.user_id ?? null,
    // A status that this version does not know gives nothing away.
    status: statuses[subscription.status] ?? 'expired',
    is_live: isLive,
    plan: item?.price.recurring?.interval === 'year' ? 'yearly' : 'monthly',
    started_at: instantOf(subscription.start_date),
    trial_end: subscription.trial_end === null ? null : instantOf(subscription.trial_end),
    current_period_end: periodEnd,
    cancel_at_period_end: isLive && cancelAt !== null,
    cancel_at: isLive ? cancelAt : null,
    card_fingerprint: cardFingerprint(subscription.default_payment_method),
  };
}

function cardFingerprint(method: Stripe.Subscription['default_payment_method']): string | null {
  if (method === null || typeof method === 'string') return null;
  return method.card?.fingerprint ?? null;
}
