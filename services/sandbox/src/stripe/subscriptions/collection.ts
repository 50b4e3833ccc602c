import { cardError, type ErrorFields, refused } from '../api/stripe-error.ts';
import { defaultPayment, markPaid } from '../invoices/finalize-invoice.ts';
import { amendInvoice } from '../invoices/invoices.ts';
import { type Decline, declineFields } from '../payments/cards.ts';
import { attemptPayment, type PaymentOutcome } from '../payments/payment-intents.ts';
import { type Act, amend } from '../state/act.ts';
import type { Invoice, PaymentMethod, Subscription } from '../state/objects.ts';
import { endSubscription } from './end-subscription.ts';
import { amendSubscription, payingMethod } from './subscriptions.ts';

const DAY = 86_400;

export interface Collection {
  invoice: Invoice;
  /** Null where no card was asked. */
  outcome: PaymentOutcome | null;
}

export interface CollectOptions {
  method?: PaymentMethod | undefined;
  /** The customer is there and confirms what the bank asks. */
  present?: boolean;
  /** Whether this is one of the planned tries, after which the next is planned. */
  planned: boolean;
  /** The first payment of a subscription that is just being made, which is not reported before it is. */
  first?: boolean;
}

/** Tries to get an open invoice paid, with all that follows for its subscription. */
export function collectInvoice(act: Act, invoice: Invoice, options: CollectOptions): Collection {
  if (invoice.status !== 'open') {
    throw refused(
      invoice.status === 'paid' ? 'Invoice is already paid' : 'Only an open invoice can be paid.',
    );
  }
  const subscription = subscriptionOf(act, invoice);
  const method = options.method ?? (subscription && payingMethod(act, subscription));
  if (options.planned && method && isHopeless(act, invoice, method)) {
    const skipped = planNextTry(act, invoice, {});
    if (subscription) endIfGivenUp(act, subscription, skipped);
    return { invoice: skipped, outcome: null };
  }
  const outcome = method ? pay(act, invoice, method, options.present ?? false) : null;
  if (outcome && !outcome.decline) {
    const paid = markPaid(act, invoice, invoice.amount_due, invoice.attempt_count + 1);
    if (subscription) afterPayment(act, subscription, paid, options.first ?? false);
    return { invoice: paid, outcome };
  }
  rememberHopeless(act, invoice, outcome);
  const tried = { attempted: true, attempt_count: invoice.attempt_count + 1 };
  const failed = options.planned
    ? planNextTry(act, invoice, tried)
    : amendInvoice(act, invoice, tried);
  if (outcome?.action_required) act.emit('invoice.payment_action_required', failed);
  act.emit('invoice.payment_failed', failed);
  if (subscription) afterFailure(act, subscription, failed, options.planned);
  return { invoice: act.tables.invoices.find(invoice.id)!, outcome };
}

/** The error of a call that asked for money and did not get it. */
export function collectionError({ outcome }: Collection): Error {
  return outcome?.decline
    ? paymentError(outcome.decline, { charge: outcome.charge.id, payment_intent: outcome.intent })
    : noCard();
}

/** What a card's refusal is to the caller. */
export function paymentError(decline: Decline, fields: ErrorFields = {}): Error {
  return cardError(decline.message, { ...declineFields(decline), ...fields });
}

/** Nobody can be charged without a card. */
export function noCard(): Error {
  return refused(
    'This customer has no attached payment source or default payment method. Please consider adding a default payment method.',
    { code: 'resource_missing' },
  );
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

function isHopeless(act: Act, invoice: Invoice, method: PaymentMethod): boolean {
  return act.tables.invoices.hidden(invoice.id).hopeless_payment_method === method.id;
}

function rememberHopeless(act: Act, invoice: Invoice, outcome: PaymentOutcome | null): void {
  if (!outcome?.decline?.hard) return;
  const hidden = act.tables.invoices.hidden(invoice.id);
  const hopeless_payment_method = outcome.charge.payment_method;
  act.tables.invoices.save(invoice, { ...hidden, hopeless_payment_method });
}

/** Plans the next try by the account's schedule; a card refused for good shows none, as at Stripe. */
function planNextTry(act: Act, invoice: Invoice, tried: Partial<Invoice>): Invoice {
  const hidden = act.tables.invoices.hidden(invoice.id);
  const days = act.settings.retry_days()[hidden.retries_done];
  const retry_at = days === undefined ? null : act.at + days * DAY;
  const retries_done = hidden.retries_done + 1;
  act.tables.invoices.save(invoice, { ...hidden, retry_at, retries_done });
  return amendInvoice(act, invoice, {
    ...tried,
    auto_advance: retry_at !== null,
    next_payment_attempt: hidden.hopeless_payment_method ? null : retry_at,
  });
}

function afterPayment(
  act: Act,
  subscription: Subscription,
  invoice: Invoice,
  first: boolean,
): void {
  setDelinquent(act, invoice, false);
  if (first || !['incomplete', 'past_due', 'unpaid'].includes(subscription.status)) return;
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
  if (planned) endIfGivenUp(act, late, invoice);
}

/** After the last planned try the subscription ends. */
function endIfGivenUp(act: Act, subscription: Subscription, invoice: Invoice): void {
  const given_up = act.tables.invoices.hidden(invoice.id).retry_at === null;
  if (given_up && subscription.status === 'past_due') {
    endSubscription(act, subscription, 'payment_failed');
  }
}

function setDelinquent(act: Act, invoice: Invoice, delinquent: boolean): void {
  const customer = act.tables.customers.find(invoice.customer!);
  if (customer) amend(act, act.tables.customers, customer, { delinquent }, 'customer.updated');
}
