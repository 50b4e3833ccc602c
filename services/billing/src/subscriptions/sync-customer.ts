import { findUserByStripeCustomer, storeBalance } from '../customers/customers.repository.ts';
import type { BillingDeps } from '../deps.ts';
import { findSubscription, takeReadTicket } from './subscriptions.repository.ts';
import { syncSubscription } from './sync-subscription.ts';

/** Applies a changed card or balance, which are part of the subscription that is read, if there is one. */
export async function syncCustomer(deps: BillingDeps, stripeCustomerId: string): Promise<void> {
  const { db, stripe } = deps;
  const userId = await findUserByStripeCustomer(db, stripeCustomerId);
  if (userId === undefined) return;
  const row = await findSubscription(db, userId);
  if (row?.stripe_subscription_id != null) await syncSubscription(deps, row.stripe_subscription_id);
  if (row?.is_live) return;
  const ticket = await takeReadTicket(db);
  const customer = await stripe.customers.retrieve(stripeCustomerId);
  if (!customer.deleted) await storeBalance(db, userId, { cents: customer.balance, ticket });
}
