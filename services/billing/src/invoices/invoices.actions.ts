import type Stripe from 'stripe';
import { recordMrr } from '../business/mrr-changes.repository.ts';
import {
  findCustomer,
  findUserByStripeCustomer,
  lockCustomer,
} from '../customers/customers.repository.ts';
import type { Db, Trx } from '../database.ts';
import type { BillingDeps } from '../deps.ts';
import { applyReturnedMoney } from '../disputes/disputes.actions.ts';
import { countConversion } from '../figures/subscription-days.ts';
import { creditPaidDays } from '../lost-days/decide-lost-day.ts';
import { sendNotice } from '../notices/send-notice.ts';
import { money, receipt } from '../notices/words.ts';
import { enqueueTask } from '../provider-tasks/provider-tasks.repository.ts';
import { countPayment } from '../referrals/referrals.actions.ts';
import { findReferral } from '../referrals/referrals.repository.ts';
import { idOf, instantOf, isUnavailable } from '../stripe-client.ts';
import type { Card } from '../subscriptions/provider-subscription.ts';
import { takeReadTicket } from '../subscriptions/subscriptions.repository.ts';
import { findInvoiceStatus, type Invoice, putInvoice, putRefund } from './invoices.repository.ts';
import { type Bought, billedTo, type ProviderInvoice, readInvoice } from './provider-invoice.ts';

/** Copies an invoice from the provider and emails the subscriber about a charge or a failed payment. */
export async function syncInvoice(deps: BillingDeps, id: string): Promise<void> {
  const { db, clock, stripe } = deps;
  const ticket = await takeReadTicket(db);
  const read = readInvoice(await stripe.invoices.retrieve(id, { expand: ['payments'] }));
  const card = await findChargedCard(deps, read);
  await db.transaction().execute(async (trx) => {
    const { stripe_customer_id, bought, billed, ...fields } = read;
    const { stripe_subscription_id } = fields;
    const userId = await findUserByStripeCustomer(trx, stripe_customer_id);
    const customer = userId === undefined ? undefined : await lockCustomer(trx, userId);
    // Personal data isn't stored again after the account is deleted.
    const isErased = customer === undefined || customer.deleted_at !== null;
    const billed_to = isErased ? null : billedTo(billed, customer);
    const invoice = { ...fields, billed_to, user_id: userId ?? null, read_ticket: ticket };
    if (!(await putInvoice(trx, invoice))) return;
    await mailReceipt(trx, deps, invoice, { ...bought, card });
    await countIfPaid(trx, deps, invoice, card?.fingerprint ?? null);
    if (userId !== undefined && invoice.status === 'paid') {
      await creditPaidDays(trx, deps, userId);
      await recordMrr(trx, userId, clock.now());
    }
    // Paid or not, it changes the subscription, and the subscription's own event may be lost.
    if (stripe_subscription_id !== null)
      await enqueueTask(trx, 'sync_subscription', [stripe_subscription_id], clock.now());
  });
}

/** Emails a receipt for a charge; the $0 invoice of a trial gets none. */
async function mailReceipt(
  trx: Trx,
  deps: BillingDeps,
  { id, user_id, status, currency, amount_paid_cents, ...invoice }: Invoice,
  { plan, period, pdf_url: pdfUrl, card }: Bought & { card: Card | null },
): Promise<void> {
  if (user_id === null || status !== 'paid' || amount_paid_cents <= 0) return;
  const amountOf = (cents: number | null) => (cents ? money(cents, currency) : null);
  await sendNotice(trx, deps, user_id, `receipt:${id}`, (to) =>
    receipt(to, {
      at: invoice.paid_at ?? invoice.created_at,
      amount: money(amount_paid_cents, currency),
      number: id,
      discount: amountOf(invoice.discount_cents),
      tax: amountOf(invoice.tax_cents),
      credit: amountOf(invoice.credit_cents),
      ...{ plan, period, pdfUrl, card },
    }),
  );
}

async function countIfPaid(
  trx: Trx,
  deps: BillingDeps,
  invoice: Invoice,
  card: string | null,
): Promise<void> {
  const { id: invoice_id, user_id, payment_intent_id, paid_at, amount_paid_cents } = invoice;
  if (user_id === null || paid_at === null || amount_paid_cents === 0) return;
  await countConversion(trx, user_id, paid_at);
  const payment = { invoice_id, payment_intent_id, amount_cents: amount_paid_cents, paid_at, card };
  await countPayment(trx, { user_id, ...payment }, deps);
}

/**
 * Returns the card of a payment that needs a receipt or may be a referred friend's first; skips other payments. If the
 * card can't be read, such as with a restricted key, the receipt omits it.
 */
async function findChargedCard(
  { db, stripe, log }: Pick<BillingDeps, 'db' | 'stripe' | 'log'>,
  invoice: ProviderInvoice,
): Promise<Card | null> {
  if (invoice.payment_intent_id === null) return null;
  const isKnown = (await findInvoiceStatus(db, invoice.id)) === 'paid';
  const isNeeded = await mayBeFriends(db, invoice);
  if (isKnown && !isNeeded) return null;
  const payment = await stripe.paymentIntents
    .retrieve(invoice.payment_intent_id, { expand: ['latest_charge'] })
    .catch((error: unknown) => {
      if (isNeeded || isUnavailable(error)) throw error;
      log.warn({ err: error }, 'payment not readable; receipt names no card');
      return null;
    });
  const charge = payment?.latest_charge;
  const card = typeof charge === 'string' ? undefined : charge?.payment_method_details?.card;
  if (!card?.brand || !card.last4) return null;
  return { fingerprint: card.fingerprint ?? null, brand: card.brand, last4: card.last4 };
}

async function mayBeFriends(db: Db, invoice: ProviderInvoice): Promise<boolean> {
  const userId = await findUserByStripeCustomer(db, invoice.stripe_customer_id);
  const customer = userId === undefined ? undefined : await findCustomer(db, userId);
  if (customer === undefined || customer.referrer_user_id === null) return false;
  const known = await findReferral(db, customer.user_id);
  return known === undefined || invoice.paid_at === null || known.paid_at > invoice.paid_at;
}

export async function syncRefund(deps: BillingDeps, id: string): Promise<void> {
  const ticket = await takeReadTicket(deps.db);
  await storeRefund(deps, await deps.stripe.refunds.retrieve(id), ticket);
}

export async function syncRefundsOfCharge(deps: BillingDeps, chargeId: string): Promise<void> {
  const ticket = await takeReadTicket(deps.db);
  for await (const refund of deps.stripe.refunds.list({ charge: chargeId, limit: 100 }))
    await storeRefund(deps, refund, ticket);
}

async function storeRefund(
  deps: BillingDeps,
  refund: Stripe.Refund,
  ticket: number,
): Promise<void> {
  const paymentIntent = idOf(refund.payment_intent);
  await deps.db.transaction().execute(async (trx) => {
    await putRefund(trx, {
      id: refund.id,
      read_ticket: ticket,
      payment_intent_id: paymentIntent,
      status: refund.status ?? 'pending',
      currency: refund.currency,
      amount_cents: refund.amount,
      created_at: instantOf(refund.created),
    });
    if (paymentIntent !== null) await applyReturnedMoney(trx, deps, paymentIntent);
  });
}
