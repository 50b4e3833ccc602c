import type { BillingDeps } from '../deps.ts';
import { idOf, isMissing } from '../stripe-client.ts';
import { syncSubscription } from './sync-subscription.ts';

/** Ends a subscription at once; one that is over already is left as it is. */
export async function cancelSubscription(deps: BillingDeps, id: string): Promise<void> {
  await deps.stripe.subscriptions.cancel(id).catch((error: unknown) => {
    // Stripe knows no subscription to cancel once it is over.
    if (!isMissing(error)) throw error;
  });
  await syncSubscription(deps, id);
}

/** Ends a second subscription of the same user, and gives back what was paid for it. */
export async function cancelDuplicate(deps: BillingDeps, id: string, key: string): Promise<void> {
  await cancelWithRefund(deps, id, { reason: 'duplicate', key });
}

/** Ends what was bought for an account that was gone already, and gives back what was paid. */
export async function cancelAndRefund(deps: BillingDeps, id: string, key: string): Promise<void> {
  await cancelWithRefund(deps, id, { reason: 'requested_by_customer', key });
}

async function cancelWithRefund(
  deps: BillingDeps,
  id: string,
  { reason, key }: { reason: 'duplicate' | 'requested_by_customer'; key: string },
): Promise<void> {
  const { stripe } = deps;
  const { latest_invoice } = await stripe.subscriptions.retrieve(id);
  await cancelSubscription(deps, id);
  const invoiceId = idOf(latest_invoice);
  if (invoiceId === null) return;
  const invoice = await stripe.invoices.retrieve(invoiceId, { expand: ['payments'] });
  if (invoice.amount_paid === 0) return;
  const payment = invoice.payments?.data.find((one) => one.status === 'paid');
  const paymentIntent = idOf(payment?.payment.payment_intent);
  if (paymentIntent === null) throw new Error('a duplicate was paid, but not by card');
  const { data: refunds } = await stripe.refunds.list({ payment_intent: paymentIntent });
  if (refunds.length > 0) return;
  await stripe.refunds.create({ payment_intent: paymentIntent, reason }, { idempotencyKey: key });
}
