import type { BillingDeps } from '../deps.ts';
import { isMissing } from '../stripe-client.ts';
import { readSubscription, subscriptionPart } from './provider-subscription.ts';
import { applySubscription } from './subscriptions.actions.ts';
import { drawReadTicket } from './subscriptions.repository.ts';

/** Reads a subscription at the provider and takes over what it says. */
export async function syncSubscription(
  { db, clock, stripe }: Pick<BillingDeps, 'db' | 'clock' | 'stripe'>,
  id: string,
): Promise<void> {
  const ticket = await drawReadTicket(db);
  const found = await stripe.subscriptions
    .retrieve(id, { expand: [subscriptionPart] })
    .catch((error: unknown) => {
      if (isMissing(error)) return null;
      throw error;
    });
  if (found === null) return;
  const subscription = await readSubscription(stripe, found);
  await db
    .transaction()
    .execute((trx) => applySubscription(trx, { subscription, ticket }, clock.now()));
}
