import type Stripe from 'stripe';
import { findUserByStripeCustomer } from '../customers/customers.repository.ts';
import type { BillingDeps } from '../deps.ts';
import { noticeOfInvoice } from '../notices/invoice-notices.ts';
import { askFor } from '../provider-tasks/provider-tasks.repository.ts';
import { idOf, instantOf } from '../stripe-client.ts';
import { drawReadTicket } from '../subscriptions/subscriptions.repository.ts';
import { putInvoice, putRefund } from './invoices.repository.ts';
import { readInvoice } from './provider-invoice.ts';

/** Reads an invoice at the provider, mirrors it, and tells the subscriber of money taken or a payment that failed. */
export async function syncInvoice(deps: BillingDeps, id: string): Promise<void> {
  const { db, clock, stripe } = deps;
  const ticket = await drawReadTicket(db);
  const read = readInvoice(await stripe.invoices.retrieve(id));
  await db.transaction().execute(async (trx) => {
    const { stripe_customer_id, stripe_subscription_id, ...fields } = read;
    const userId = await findUserByStripeCustomer(trx, stripe_customer_id);
    const invoice = { ...fields, user_id: userId ?? null, read_ticket: ticket };
    if (!(await putInvoice(trx, invoice))) return;
    await noticeOfInvoice(trx, deps, invoice);
    // Paid or not, it decides the state of its subscription, whose own event may be lost.
    if (stripe_subscription_id !== null)
      await askFor(trx, 'sync_subscription', [stripe_subscription_id], clock.now());
  });
}

export async function syncRefund(
  { db, stripe }: Pick<BillingDeps, 'db' | 'stripe'>,
  id: string,
): Promise<void> {
  const ticket = await drawReadTicket(db);
  await storeRefund(db, await stripe.refunds.retrieve(id), ticket);
}

export async function syncRefundsOfCharge(
  { db, stripe }: Pick<BillingDeps, 'db' | 'stripe'>,
  chargeId: string,
): Promise<void> {
  const ticket = await drawReadTicket(db);
  for await (const refund of stripe.refunds.list({ charge: chargeId, limit: 100 }))
    await storeRefund(db, refund, ticket);
}

async function storeRefund(
  db: BillingDeps['db'],
  refund: Stripe.Refund,
  ticket: number,
): Promise<void> {
  await putRefund(db, {
    id: refund.id,
    read_ticket: ticket,
    payment_intent_id: idOf(refund.payment_intent),
    status: refund.status ?? 'pending',
    currency: refund.currency,
    amount_cents: refund.amount,
    created_at: instantOf(refund.created),
  });
}
