import { findCustomer } from '../customers/customers.repository.ts';
import type { BillingDeps } from '../deps.ts';
import { isRefusal } from '../stripe-client.ts';
import { listOpenInvoices } from '../subscriptions/provider-subscription.ts';
import { findSubscriptionByStripeId } from '../subscriptions/subscriptions.repository.ts';
import { syncSubscription } from '../subscriptions/sync-subscription.ts';

/** Charges the amount owed to a new card instead of waiting for the provider's next attempt. */
export async function retryPayment(deps: BillingDeps, id: string, key: string): Promise<void> {
  const { stripe } = deps;
  await syncSubscription(deps, id);
  if (!(await isStillOwed(deps, id))) return;
  try {
    for (const invoice of await listOpenInvoices(stripe, id))
      await stripe.invoices.pay(invoice.id, {}, { idempotencyKey: `${key}:${invoice.id}` });
  } catch (error) {
    // Declined or already paid: the sync below stores which.
    if (!isRefusal(error)) throw error;
  }
  await syncSubscription(deps, id);
}

/** The subscriber may have canceled, or deleted the account, since the new card was noticed. */
async function isStillOwed({ db }: BillingDeps, id: string): Promise<boolean> {
  const row = await findSubscriptionByStripeId(db, id);
  if (row === undefined || !row.is_live || row.status !== 'past_due' || row.hold !== null)
    return false;
  return (await findCustomer(db, row.user_id)) !== undefined;
}
