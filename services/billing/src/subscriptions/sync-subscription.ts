import type Stripe from 'stripe';
import type { BillingDeps } from '../deps.ts';
import { nullIfMissing } from '../stripe-client.ts';
import { readSubscription, subscriptionParts } from './provider-subscription.ts';
import { applySubscription } from './subscriptions.actions.ts';
import { takeReadTicket } from './subscriptions.repository.ts';

/** Reads a subscription at the provider and stores it. Returns it, or null if it doesn't exist. */
export async function syncSubscription(
  deps: BillingDeps,
  id: string,
): Promise<Stripe.Subscription | null> {
  const { db, clock, stripe, refundEndsAccess } = deps;
  const ticket = await takeReadTicket(db);
  const found = await stripe.subscriptions
    .retrieve(id, { expand: subscriptionParts })
    .catch(nullIfMissing);
  if (found === null) return null;
  const subscription = await readSubscription(deps, found);
  await db
    .transaction()
    .execute((trx) =>
      applySubscription(trx, { subscription, ticket, refundEndsAccess }, clock.now()),
    );
  return found;
}
