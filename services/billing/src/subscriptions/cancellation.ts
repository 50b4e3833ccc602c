import { isCurrency } from '@daylift/contracts/plans';
import type Stripe from 'stripe';
import { bookOnce } from '../credits/book-credit.ts';
import type { BillingDeps } from '../deps.ts';
import { idOf, nullIfMissing } from '../stripe-client.ts';
import { usedCredit } from './settle-bill.ts';
import { syncSubscription } from './sync-subscription.ts';

/** Ends a subscription immediately, unless it has already ended. */
export async function cancelSubscription(deps: BillingDeps, id: string): Promise<void> {
  // Stripe can't cancel a subscription that has ended.
  await deps.stripe.subscriptions.cancel(id).catch(nullIfMissing);
  await syncSubscription(deps, id);
}

/** Ends a user's second subscription, refunds it and returns the credit that it used. */
export async function cancelDuplicate(deps: BillingDeps, id: string, key: string): Promise<void> {
  const invoice = await cancelWithRefund(deps, id, { reason: 'duplicate', key });
  const customer = idOf(invoice?.customer);
  if (invoice === null || customer === null) return;
  const { currency } = invoice;
  const cents = usedCredit(invoice);
  if (invoice.status !== 'paid' || cents === 0 || !isCurrency(currency)) return;
  const subject = { credit: 'duplicate', invoice: invoice.id };
  const description = 'Credit returned';
  await bookOnce(deps, customer, { subject, number: 1, cents, currency, description }, key);
}

/** Ends what was bought for a deleted account, and refunds it. */
export async function cancelAndRefund(deps: BillingDeps, id: string, key: string): Promise<void> {
  await cancelWithRefund(deps, id, { reason: 'requested_by_customer', key });
}

/** Returns the subscription's latest invoice, or null. */
async function cancelWithRefund(
  deps: BillingDeps,
  id: string,
  { reason, key }: { reason: 'duplicate' | 'requested_by_customer'; key: string },
): Promise<Stripe.Invoice | null> {
  const { stripe } = deps;
  const { latest_invoice } = await stripe.subscriptions.retrieve(id);
  await cancelSubscription(deps, id);
  const invoiceId = idOf(latest_invoice);
  if (invoiceId === null) return null;
  const invoice = await stripe.invoices.retrieve(invoiceId, { expand: ['payments'] });
  if (invoice.amount_paid === 0) return invoice;
  const payment = invoice.payments?.data.find((one) => one.status === 'paid');
  const paymentIntent = idOf(payment?.payment.payment_intent);
  if (paymentIntent === null) throw new Error('duplicate subscription not paid by card');
  const { data: refunds } = await stripe.refunds.list({ payment_intent: paymentIntent });
  if (refunds.length === 0)
    await stripe.refunds.create({ payment_intent: paymentIntent, reason }, { idempotencyKey: key });
  return invoice;
}
