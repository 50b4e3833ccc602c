import { findOpenCheckout } from '../checkouts/checkouts.repository.ts';
import { expireSession } from '../checkouts/expire-session.ts';
import { findAnyCustomer } from '../customers/customers.repository.ts';
import type { BillingDeps } from '../deps.ts';
import { enqueueTask } from '../provider-tasks/provider-tasks.repository.ts';
import { isMissing } from '../stripe-client.ts';
import { cancelSubscription } from '../subscriptions/cancellation.ts';
import { findSubscription } from '../subscriptions/subscriptions.repository.ts';

/**
 * Removes a customer at the provider: expires open checkouts, cancels subscriptions, then deletes the customer with
 * name, address and cards. Every step may be repeated.
 */
export async function eraseAtProvider(
  deps: BillingDeps,
  userId: string,
  key: string,
): Promise<void> {
  const customer = await findAnyCustomer(deps.db, userId);
  if (customer === undefined || customer.deleted_at === null) return;
  const open = await findOpenCheckout(deps.db, userId);
  if (open?.status === 'creating' && (open.claimed_until ?? new Date(0)) > new Date())
    throw new Error('a checkout of the deleted account is still being opened');
  const { stripe_customer_id: id } = customer;
  if (id === null) return;
  try {
    await closePages(deps, id, key);
    await endSubscriptions(deps, id, userId);
    await deps.stripe.customers.del(id);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

async function closePages(deps: BillingDeps, customer: string, key: string): Promise<void> {
  const open = deps.stripe.checkout.sessions.list({ customer, status: 'open', limit: 100 });
  for await (const session of open) await expireSession(deps, session.id, `${key}:${session.id}`);
}

async function endSubscriptions(
  deps: BillingDeps,
  customerId: string,
  userId: string,
): Promise<void> {
  const known = await findSubscription(deps.db, userId);
  const live = deps.stripe.subscriptions.list({ customer: customerId, limit: 100 });
  for await (const { id } of live) {
    if (id !== known?.stripe_subscription_id)
      await enqueueTask(deps.db, 'cancel_and_refund', [id], deps.clock.now());
    await cancelSubscription(deps, id);
  }
}
