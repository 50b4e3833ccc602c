import { setTimeout as delay } from 'node:timers/promises';
import { cardError, StripeApiError } from '../api/stripe-error.ts';
import { createCustomer } from '../customers/customers.ts';
import { applyBalance } from '../invoices/balance-application.ts';
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
import type { CheckoutSession, PaymentMethod } from '../state/objects.ts';
import { announceShortTrial, createSubscription } from '../subscriptions/create-subscription.ts';
import { customerDetails, trialEndOf } from './checkout-sessions.ts';

/** What the buyer typed. */
interface Purchase {
  card: CardEntry;
  name: string;
  /** Only used if the session has none. */
  email: string;
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
  const charged = amountDueNow(act, session) > 0;
  const decline = card.attach ?? (charged ? chargeDecline(act, card, true) : null);
  if (decline) throw cardError(decline.message, declineFields(decline));
  return complete(act, session, method);
}

/** Returns what the buyer pays at completion, after their credit. */
export function amountDueNow(act: Act, session: CheckoutSession): number {
  const hidden = act.tables.checkoutSessions.hidden(session.id);
  if (trialEndOf(hidden, act.at) !== null) return 0;
  const balance = act.tables.customers.find(session.customer ?? '')?.balance ?? 0;
  return applyBalance(hidden.line_item.amount_total, balance).amount_due;
}

/** Completes a session, emitting events in Stripe's order: customer, card, invoice, subscription, session. */
function complete(act: Act, session: CheckoutSession, unattached: PaymentMethod): CheckoutSession {
  const { checkoutSessions, customers } = act.tables;
  const { email, name } = unattached.billing_details;
  const customer = customers.find(session.customer ?? '') ?? createCustomer(act, { email, name });
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
  });
  act.emit('customer.subscription.created', subscription);
  const known = session.customer_details?.email ?? customer.email;
  const done = amend(act, checkoutSessions, session, {
    customer: customer.id,
    customer_details: customerDetails(known, name),
    invoice: invoice.id,
    payment_status: trial_end === null ? 'paid' : act.settings.dials().trial_payment_status,
    status: 'complete',
    subscription: subscription.id,
    url: null,
  });
  act.emit('checkout.session.completed', done);
  announceShortTrial(act, subscription);
  return done;
}

/** Returns where the buyer goes after a purchase. As at Stripe, only the literal placeholder is replaced. */
export function successUrl(session: CheckoutSession): string {
  return (session.success_url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', session.id);
}
