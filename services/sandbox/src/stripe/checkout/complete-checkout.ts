import { setTimeout as delay } from 'node:timers/promises';
import { cardError, StripeApiError } from '../api/stripe-error.ts';
import { createCustomer } from '../customers/customers.ts';
import { applyBalance } from '../invoices/balance-application.ts';
import { finalizeInvoice } from '../invoices/finalize-invoice.ts';
import { productName } from '../invoices/invoice-lines.ts';
import { draftInvoice } from '../invoices/invoices.ts';
import { addressOf, taxOn, taxRate } from '../invoices/tax.ts';
import type { Stripe } from '../open-stripe.ts';
import { declineFields } from '../payments/cards.ts';
import { chargeDecline } from '../payments/payment-intents.ts';
import {
  attachMethod,
  type CardEntry,
  createCardMethod,
  testCardBehind,
} from '../payments/payment-methods.ts';
import { type Act, amend } from '../state/act.ts';
import type { CheckoutSession, Customer, Invoice, PaymentMethod } from '../state/objects.ts';
import { collectInvoice } from '../subscriptions/collection.ts';
import { announceShortTrial, createSubscription } from '../subscriptions/create-subscription.ts';
import { customerDetails, trialEndOf } from './checkout-sessions.ts';

/** What the buyer typed. */
interface Purchase {
  card: CardEntry;
  name: string;
  /** Only used if the session has none. */
  email: string;
  /** Such as `US-CA`. Only used if the session is taxed. */
  place: string;
}

/** How long Checkout waits for the shop to accept the completion before it sends the buyer back anyway. */
const WAIT_MS = 10_000;

/** Buys with a card, and notifies the shop before the buyer returns. Returns a refusal, which leaves the session open. */
export async function completeCheckout(
  stripe: Stripe,
  act: Act,
  session: CheckoutSession,
  purchase: Purchase,
): Promise<CheckoutSession | StripeApiError> {
  let result: CheckoutSession | StripeApiError;
  try {
    result = submit(act, session, purchase);
  } catch (error) {
    if (!(error instanceof StripeApiError)) throw error;
    result = error;
  }
  await stripe.commit(act);
  const sent = act.events.map((event) => stripe.send([event]));
  const completed = act.events.findIndex((event) => event.type === 'checkout.session.completed');
  await Promise.race([sent[completed], delay(WAIT_MS)]);
  return result;
}

function submit(act: Act, session: CheckoutSession, purchase: Purchase): CheckoutSession {
  const email = session.customer_details?.email ?? purchase.email;
  const method = createCardMethod(act, purchase.card, { email, name: purchase.name });
  const card = testCardBehind(act, method.id);
  const charged = amountDueNow(act, session, purchase.place) > 0;
  const decline = card.attach ?? (charged ? chargeDecline(act, card, true) : null);
  if (decline) throw cardError(decline.message, declineFields(decline));
  const done = session.mode === 'payment' ? completePayment : complete;
  return done(act, session, method, purchase.place);
}

/** Returns what the buyer pays at completion, after their credit. */
export function amountDueNow(act: Act, session: CheckoutSession, place: string): number {
  const hidden = act.tables.checkoutSessions.hidden(session.id);
  if (trialEndOf(hidden, act.at) !== null) return 0;
  const balance = act.tables.customers.find(session.customer ?? '')?.balance ?? 0;
  const { amount_total: untaxed, currency } = hidden.line_item;
  const total = untaxed + (session.automatic_tax.enabled ? taxAt(untaxed, place) : 0);
  return applyBalance(total, balance, currency).amount_due;
}

/** Returns the tax on an amount at a place. */
export const taxAt = (amount: number, place: string): number =>
  taxOn(amount, taxRate(addressOf(place)));

/** Completes a session, emitting events in Stripe's order: customer, card, invoice, subscription, session. */
function complete(
  act: Act,
  session: CheckoutSession,
  unattached: PaymentMethod,
  place: string,
): CheckoutSession {
  const { checkoutSessions, customers } = act.tables;
  const { email, name } = unattached.billing_details;
  const known = customers.find(session.customer ?? '') ?? createCustomer(act, { email, name });
  const { enabled: isTaxed } = session.automatic_tax;
  const customer = isTaxed
    ? amend(act, customers, known, { address: addressOf(place) }, 'customer.updated')
    : known;
  const hidden = checkoutSessions.hidden(session.id);
  const trial_end = trialEndOf(hidden, act.at);
  const method = attachMethod(act, unattached, customer.id);
  const { subscription, invoice } = createSubscription(act, {
    customer,
    price: hidden.line_item.price!,
    trial_end,
    default_payment_method: method.id,
    metadata: hidden.subscription_metadata,
    trial_settings: hidden.trial_settings,
    present: true,
    promotion: hidden.promotion,
    taxed: isTaxed,
  });
  act.emit('customer.subscription.created', subscription);
  const done = endSession(act, session, customer, invoice, name, {
    payment_status: trial_end === null ? 'paid' : act.settings.dials().trial_payment_status,
    subscription: subscription.id,
  });
  announceShortTrial(act, subscription);
  return done;
}

/** Completes a one-time payment. As at Stripe, its invoice is created and paid along with it. */
function completePayment(
  act: Act,
  session: CheckoutSession,
  method: PaymentMethod,
  place: string,
): CheckoutSession {
  const { email, name } = method.billing_details;
  const { enabled: isTaxed } = session.automatic_tax;
  const address = isTaxed ? addressOf(place) : null;
  const customer = createCustomer(act, { email, name, address });
  const price = act.tables.checkoutSessions.hidden(session.id).line_item.price!;
  const draft = draftInvoice(act, {
    ...{ customer, subscription: null, isTaxed, billing_reason: 'manual', finalizes_at: null },
    charging: [
      {
        item: { price },
        period: { start: act.at, end: act.at },
        amount: price.unit_amount ?? 0,
        description: productName(act.tables, price),
        proration: false,
      },
    ],
    period: { start: act.at, end: act.at },
  });
  const open = finalizeInvoice(act, draft);
  const { invoice, outcome } = collectInvoice(act, open, { method, present: true, planned: false });
  return endSession(act, session, customer, invoice, name, {
    payment_intent: outcome?.intent.id ?? null,
    payment_status: 'paid',
  });
}

function endSession(
  act: Act,
  session: CheckoutSession,
  customer: Customer,
  invoice: Invoice,
  name: string | null,
  bought: Partial<CheckoutSession>,
): CheckoutSession {
  const address = session.customer_details?.email ?? customer.email;
  const tax = invoice.total - (invoice.total_excluding_tax ?? invoice.total);
  const { enabled: isTaxed } = session.automatic_tax;
  const done = amend(act, act.tables.checkoutSessions, session, {
    customer: customer.id,
    customer_details: customerDetails(address, name),
    amount_total: (session.amount_total ?? 0) + tax,
    total_details: { ...session.total_details!, amount_tax: tax },
    automatic_tax: { ...session.automatic_tax, status: isTaxed ? 'complete' : null },
    invoice: invoice.id,
    status: 'complete',
    url: null,
    ...bought,
  });
  act.emit('checkout.session.completed', done);
  return done;
}

/** Returns where the buyer goes after a purchase. As at Stripe, only the literal placeholder is replaced. */
export function successUrl(session: CheckoutSession): string {
  return (session.success_url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', session.id);
}
