import type { BillingDeps } from '../deps.ts';
import { isRefusal } from '../stripe-client.ts';
import { listOpenInvoices } from '../subscriptions/provider-subscription.ts';
import { syncSubscription } from '../subscriptions/sync-subscription.ts';

/** Charges the amount owed to a new card instead of waiting for the provider's next attempt. */
export async function retryPayment(deps: BillingDeps, id: string, key: string): Promise<void> {
  const { stripe } = deps;
  try {
    for (const invoice of await listOpenInvoices(stripe, id))
      await stripe.invoices.pay(invoice.id, {}, { idempotencyKey: `${key}:${invoice.id}` });
  } catch (error) {
    // Declined or already paid: the sync below stores which.
    if (!isRefusal(error)) throw error;
  }
  await syncSubscription(deps, id);
}
