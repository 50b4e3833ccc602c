import { cardError, refused } from '../api/stripe-error.ts';
import { createCustomer } from '../customers/customers.ts';
import { applyBalance } from '../invoices/balance-application.ts';
import { declineFields } from '../payments/cards.ts';
import { chargeDecline } from '../payments/payment-intents.ts';
import {
  attachMethod,
  type CardEntry,
  createCardMethod,
  methodBehaviour,
} from '../payments/payment-methods.ts';
import { recordSetup } from '../payments/setup-intents.ts';
import { type Act, amend } from '../state/act.ts';
import type { CheckoutSession, Customer, PaymentMethod } from '../state/objects.ts';
import {
  announceShortTrial,
  announceSubscription,
  createSubscription,
  type NewSubscription,
} from '../subscriptions/create-subscription.ts';
import { customerDetails, sumOf, trialEndOf } from './checkout-sessions.ts';

/** What the buyer typed. */
export interface Purchase {
  card: CardEntry;
  name: string | null;
  /** Only asked for where the session does not know it. */
  email: string | null;
}

export type Submitted =
  | { status: 'complete'; session: CheckoutSession }
  /** The bank wants the buyer to confirm; the card is kept until then. */
  | { status: 'requires_action'; session: CheckoutSession };

/** Takes the buyer's card. A card that is refused leaves the session open. */
export function submitCheckout(act: Act, session: CheckoutSession, purchase: Purchase): Submitted {
  demandOpen(session);
  const email = emailOf(session) ?? purchase.email;
  const method = createCardMethod(act, purchase.card, { email, name: purchase.name });
  refuseUnusable(act, session, method);
  if (methodBehaviour(act, method.id).authentication === 'never') {
    return { status: 'complete', session: complete(act, session, method) };
  }
  const { checkoutSessions } = act.tables;
  checkoutSessions.save(session, {
    ...checkoutSessions.hidden(session.id),
    pending_payment_method: method.id,
  });
  return { status: 'requires_action', session };
}

/** The buyer's answer to the bank. */
export function confirmCheckout(
  act: Act,
  session: CheckoutSession,
  confirmed: boolean,
): CheckoutSession {
  demandOpen(session);
  const { checkoutSessions, paymentMethods } = act.tables;
  const hidden = checkoutSessions.hidden(session.id);
  const method = paymentMethods.find(hidden.pending_payment_method ?? '');
  if (!method) throw refused('There is no payment to confirm.');
  checkoutSessions.save(session, { ...hidden, pending_payment_method: null });
  if (!confirmed) {
    throw cardError(
      'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
      { code: 'payment_intent_authentication_failure' },
    );
  }
  return complete(act, session, method);
}

function demandOpen(session: CheckoutSession): void {
  if (session.status === 'open') return;
  throw refused(`This Checkout Session is ${session.status} and can no longer be completed.`);
}

function emailOf(session: CheckoutSession): string | null {
  return session.customer_details?.email ?? null;
}

function refuseUnusable(act: Act, session: CheckoutSession, method: PaymentMethod): void {
  const behaviour = methodBehaviour(act, method.id);
  const decline =
    behaviour.attach ??
    (amountDueNow(act, session) > 0 ? chargeDecline(act, behaviour, true) : null);
  if (decline) throw cardError(decline.message, declineFields(decline));
}

/** What the buyer pays at completion, after the credit they have. */
export function amountDueNow(act: Act, session: CheckoutSession): number {
  const hidden = act.tables.checkoutSessions.hidden(session.id);
  if (trialEndOf(hidden, act.at) !== null) return 0;
  const balance = act.tables.customers.find(session.customer ?? '')?.balance ?? 0;
  return applyBalance(sumOf(hidden.line_items), balance).amount_due;
}

/** In the order of the events that Stripe sends: customer, card, invoice, subscription, session. */
function complete(act: Act, session: CheckoutSession, unattached: PaymentMethod): CheckoutSession {
  const customer = buyerOf(act, session, unattached);
  const trial = trialEndOf(act.tables.checkoutSessions.hidden(session.id), act.at) !== null;
  if (trial) recordSetup(act, customer.id, unattached.id);
  const method = attachMethod(act, unattached, customer.id);
  const made = subscribe(act, session, customer, method);
  announceSubscription(act, made.subscription);
  const done = amend(
    act,
    act.tables.checkoutSessions,
    session,
    {
      customer: customer.id,
      customer_details: customerDetails(
        emailOf(session) ?? customer.email,
        method.billing_details.name,
      ),
      invoice: made.invoice.id,
      payment_status: trial ? act.settings.trial_payment_status() : 'paid',
      status: 'complete',
      subscription: made.subscription.id,
      url: null,
    },
    null,
  );
  act.emit('checkout.session.completed', done);
  announceShortTrial(act, made.subscription);
  return done;
}

function buyerOf(act: Act, session: CheckoutSession, method: PaymentMethod): Customer {
  const known = session.customer === null ? undefined : act.tables.customers.find(session.customer);
  if (known) return known;
  const { email, name } = method.billing_details;
  return createCustomer(act, { email, name });
}

function subscribe(
  act: Act,
  session: CheckoutSession,
  customer: Customer,
  method: PaymentMethod,
): NewSubscription {
  const hidden = act.tables.checkoutSessions.hidden(session.id);
  return createSubscription(act, {
    customer,
    items: hidden.line_items.map(({ price, quantity }) => ({
      price: price!,
      quantity: quantity ?? 1,
    })),
    trial_end: trialEndOf(hidden, act.at),
    default_payment_method: method.id,
    metadata: hidden.subscription_metadata,
    description: hidden.subscription_description,
    trial_settings: hidden.trial_settings,
    present: true,
  });
}
