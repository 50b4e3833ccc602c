import { cardError, type ErrorFields, refused } from '../api/stripe-error.ts';
import {
  cancelPayment,
  defaultPayment,
  markPaid,
  voidInvoice,
} from '../invoices/finalize-invoice.ts';
import { amendInvoice } from '../invoices/invoices.ts';
import { type Decline, declineFields } from '../payments/cards.ts';
import { attemptPayment, chargeDecline, type PaymentOutcome } from '../payments/payment-intents.ts';
import { testCardBehind } from '../payments/payment-methods.ts';
import { type Act, amend } from '../state/act.ts';
import type { Invoice, PaymentMethod, Subscription } from '../state/objects.ts';
import { endSubscription } from './end-subscription.ts';
import { amendSubscription, payingMethod } from './subscriptions.ts';

const DAY = 86_400;

interface Collection {
  invoice: Invoice;
  outcome: PaymentOutcome | null;
}

interface CollectOptions {
  /** Whether the customer is there to confirm for the bank. */
  present?: boolean;
  /** The card to charge instead of the subscription's. */
  method?: PaymentMethod;
  /** Whether this is an attempt of the schedule, which plans the next one. */
  planned: boolean;
}

/** Attempts to collect an open invoice and updates its subscription. */
export function collectInvoice(act: Act, invoice: Invoice, options: CollectOptions): Collection {
  rejectUnlessOpen(invoice);
  const subscription = subscriptionOf(act, invoice);
  const method = options.method ?? (subscription && payingMethod(act, subscription));
  const { declined_payment_method: declined } = act.tables.invoices.hidden(invoice.id);
  if (options.planned && method && method.id === declined) {
    const skipped = planNextTry(act, invoice, {});
    if (subscription) endIfAbandoned(act, subscription, skipped);
    return { invoice: skipped, outcome: null };
  }
  const outcome = method ? pay(act, invoice, method, options.present ?? false) : null;
  if (outcome && !outcome.decline) {
    const paid = markPaid(act, invoice, invoice.amount_due, invoice.attempt_count + 1);
    if (subscription) afterPayment(act, subscription, paid);
    return { invoice: paid, outcome };
  }
  rememberDecline(act, invoice, outcome);
  const tried = { attempted: true, attempt_count: invoice.attempt_count + 1 };
  const failed = options.planned
    ? planNextTry(act, invoice, tried)
    : amendInvoice(act, invoice, tried);
  if (outcome?.action_required) act.emit('invoice.payment_action_required', failed);
  act.emit('invoice.payment_failed', failed);
  if (subscription) afterFailure(act, subscription, failed, options.planned);
  return { invoice: act.tables.invoices.find(invoice.id)!, outcome };
}

function rejectUnlessOpen(invoice: Invoice): void {
  if (invoice.status === 'open') return;
  throw refused(
    invoice.status === 'paid' ? 'Invoice is already paid' : 'Only an open invoice can be paid.',
  );
}

/** Marks an open invoice as paid outside the provider. No money enters the ledger. */
export function payElsewhere(act: Act, invoice: Invoice): Invoice {
  rejectUnlessOpen(invoice);
  cancelPayment(act, invoice);
  const paid = markPaid(act, invoice, invoice.amount_due, invoice.attempt_count);
  const subscription = subscriptionOf(act, invoice);
  if (subscription) afterPayment(act, subscription, paid);
  return paid;
}

/** Returns the error of a call whose payment failed. */
export function collectionError({ outcome }: Collection): Error {
  if (!outcome?.decline) return noCard();
  return paymentError(outcome.decline, {
    charge: outcome.charge.id,
    payment_intent: outcome.intent,
  });
}

function paymentError(decline: Decline, fields: ErrorFields = {}): Error {
  return cardError(decline.message, { ...declineFields(decline), ...fields });
}

function noCard(): Error {
  return refused(
    'This customer has no attached payment source or default payment method. Please consider adding a default payment method.',
    { code: 'resource_missing' },
  );
}

/** Throws the error that charging the card would cause, before anything is changed. */
export function rejectUnpayable(act: Act, method: string | undefined): void {
  if (!method) throw noCard();
  const decline = chargeDecline(act, testCardBehind(act, method), false);
  if (decline) throw paymentError(decline);
}

/** Voids an open invoice. A subscription that owes nothing else is active again. */
export function voidOpen(act: Act, invoice: Invoice): Invoice {
  if (invoice.status !== 'open') throw refused('Only an open invoice can be voided.');
  const voided = voidInvoice(act, invoice);
  const subscription = subscriptionOf(act, voided);
  if (subscription) afterPayment(act, subscription, voided);
  return voided;
}

function subscriptionOf(act: Act, invoice: Invoice): Subscription | undefined {
  const id = invoice.parent?.subscription_details?.subscription;
  return id ? act.tables.subscriptions.find(id) : undefined;
}

function pay(act: Act, invoice: Invoice, method: PaymentMethod, present: boolean): PaymentOutcome {
  const { payment } = defaultPayment(act, invoice)!;
  const intent = act.tables.paymentIntents.find(payment.payment_intent!)!;
  return attemptPayment(act, intent, method, present);
}

function rememberDecline(act: Act, invoice: Invoice, outcome: PaymentOutcome | null): void {
  if (!outcome?.decline?.hard) return;
  const hidden = act.tables.invoices.hidden(invoice.id);
  const declined_payment_method = outcome.charge.payment_method;
  act.tables.invoices.save(invoice, { ...hidden, declined_payment_method });
}

/** Plans the next attempt by the account's schedule. As at Stripe, none is shown after a hard decline. */
function planNextTry(act: Act, invoice: Invoice, tried: Partial<Invoice>): Invoice {
  const { retries_done, ...hidden } = act.tables.invoices.hidden(invoice.id);
  const days = act.settings.dials().retry_days[retries_done];
  const retry_at = days === undefined ? null : act.at + days * DAY;
  act.tables.invoices.save(invoice, { ...hidden, retry_at, retries_done: retries_done + 1 });
  return amendInvoice(act, invoice, {
    ...tried,
    auto_advance: retry_at !== null,
    next_payment_attempt: hidden.declined_payment_method ? null : retry_at,
  });
}

function afterPayment(act: Act, subscription: Subscription, invoice: Invoice): void {
  setDelinquent(act, invoice, false);
  if (subscription.status !== 'past_due') return;
  const owes = act.tables.invoices
    .by('subscription', subscription.id)
    .some((each) => each.status === 'open');
  if (!owes) amendSubscription(act, subscription, { status: 'active' });
}

function afterFailure(
  act: Act,
  subscription: Subscription,
  invoice: Invoice,
  planned: boolean,
): void {
  setDelinquent(act, invoice, true);
  const late =
    subscription.status === 'active'
      ? amendSubscription(act, subscription, { status: 'past_due' })
      : subscription;
  if (planned) endIfAbandoned(act, late, invoice);
}

/** Ends the subscription after the last attempt of the schedule. */
function endIfAbandoned(act: Act, subscription: Subscription, invoice: Invoice): void {
  const { retry_at } = act.tables.invoices.hidden(invoice.id);
  if (retry_at === null && subscription.status === 'past_due') {
    endSubscription(act, subscription, 'payment_failed');
  }
}

function setDelinquent(act: Act, invoice: Invoice, delinquent: boolean): void {
  const customer = act.tables.customers.find(invoice.customer!);
  if (customer) amend(act, act.tables.customers, customer, { delinquent }, 'customer.updated');
}
