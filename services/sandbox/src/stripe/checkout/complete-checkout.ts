import { setTimeout as delay } from 'node:timers/promises';
import { cardError, refused } from '../api/stripe-error.ts';
import { createCustomer } from '../customers/create-customer.ts';
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
import { recordSetup } from '../payments/setup-intents.ts';
import { type Act, amend } from '../state/act.ts';
import type { CheckoutSession, PaymentMethod } from '../state/objects.ts';
import {
  announceShortTrial,
  announceSubscription,
  createSubscription,
} from '../subscriptions/create-subscription.ts';
import { customerDetails, sumOf, trialEndOf } from './checkout-sessions.ts';

/** What the buyer typed. */
interface Purchase {
  card: CardEntry;
  name: string | null;
  /** Only used if the session has none. */
  email: string | null;
}

/**
 * Submits the buyer's card and returns the session: complete, or still open if the bank asks the buyer to
 * confirm. A declined card leaves the session open.
 */
export function submitCheckout(
  act: Act,
  session: CheckoutSession,
  purchase: Purchase,
): CheckoutSession {
  const { checkoutSessions } = act.tables;
  const email = session.customer_details?.email ?? purchase.email;
  const method = createCardMethod(act, purchase.card, { email, name: purchase.name });
  const card = testCardBehind(act, method.id);
  const charged = amountDueNow(act, session) > 0;
  const decline = card.attach ?? (charged ? chargeDecline(act, card, true) : null);
  if (decline) throw cardError(decline.message, declineFields(decline));
  if (card.authentication === 'never') return complete(act, session, method);
  const hidden = checkoutSessions.hidden(session.id);
  return checkoutSessions.save(session, { ...hidden, pending_payment_method: method.id });
}

/** Applies the buyer's answer to the bank. */
export function confirmCheckout(
  act: Act,
  session: CheckoutSession,
  confirmed: boolean,
): CheckoutSession {
  const { checkoutSessions, paymentMethods } = act.tables;
  const hidden = checkoutSessions.hidden(session.id);
  const method = paymentMethods.find(hidden.pending_payment_method ?? '');
  if (!method) throw refused('There is no payment to confirm.');
  checkoutSessions.save(session, { ...hidden, pending_payment_method: null });
  if (confirmed) return complete(act, session, method);
  throw cardError(
    'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
    { code: 'payment_intent_authentication_failure' },
  );
}

/** Returns what the buyer pays at completion, after their credit. */
export function amountDueNow(act: Act, session: CheckoutSession): number {
  const hidden = act.tables.checkoutSessions.hidden(session.id);
  if (trialEndOf(hidden, act.at) !== null) return 0;
  const balance = act.tables.customers.find(session.customer ?? '')?.balance ?? 0;
  return applyBalance(sumOf(hidden.line_items), balance).amount_due;
}

/** Completes a session, emitting events in Stripe's order: customer, card, invoice, subscription, session. */
function complete(act: Act, session: CheckoutSession, unattached: PaymentMethod): CheckoutSession {
  const { checkoutSessions, customers } = act.tables;
  const { email, name } = unattached.billing_details;
  const customer = customers.find(session.customer ?? '') ?? createCustomer(act, { email, name });
  const hidden = checkoutSessions.hidden(session.id);
  const trial_end = trialEndOf(hidden, act.at);
  if (trial_end !== null) recordSetup(act, customer.id, unattached.id);
  const method = attachMethod(act, unattached, customer.id);
  const { subscription, invoice } = createSubscription(act, {
    customer,
    items: hidden.line_items.map((item) => ({ price: item.price!, quantity: item.quantity ?? 1 })),
    trial_end,
    default_payment_method: method.id,
    metadata: hidden.subscription_metadata,
    description: null,
    trial_settings: hidden.trial_settings,
    present: true,
  });
  announceSubscription(act, subscription);
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

/** How long Checkout waits for the shop to accept the completion before it sends the buyer back anyway. */
const WAIT_MS = 10_000;
/** How much later than the buyer the webhooks leave with the dial `redirect_first`. */
const HEAD_START_MS = 1_000;

/** Returns where the buyer goes after a purchase. As at Stripe, only the literal placeholder is replaced. */
export function successUrl(session: CheckoutSession): string {
  return (session.success_url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', session.id);
}

/** Saves a completed purchase and notifies the shop before the buyer returns to it. */
export async function handOver(stripe: Stripe, act: Act): Promise<void> {
  await stripe.commit(act);
  if (stripe.settings.dials().redirect_first) {
    void delay(HEAD_START_MS).then(() => stripe.send(act.events));
    return;
  }
  const sent = act.events.map((event) => stripe.send([event]));
  const completed = act.events.findIndex((event) => event.type === 'checkout.session.completed');
  await Promise.race([sent[completed], delay(WAIT_MS)]);
}
