import { newId } from '../api/ids.ts';
import { type Act, amend } from '../state/act.ts';
import type { Charge, PaymentIntent, PaymentMethod } from '../state/objects.ts';
import { type CardBehaviour, DECLINES, type Decline, declineByCode } from './cards.ts';
import { createCharge } from './charges.ts';
import { methodBehaviour } from './payment-methods.ts';

export interface IntentFields {
  amount: number;
  currency: string;
  customer: string;
  description: string;
  receipt_email: string | null;
}

/** Announces a payment; nothing is charged yet. */
export function createIntent(act: Act, fields: IntentFields): PaymentIntent {
  const id = newId('pi');
  const intent: PaymentIntent = {
    ...fields,
    id,
    object: 'payment_intent',
    allowed_payment_method_types: ['card'],
    amount_capturable: 0,
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic',
    client_secret: `${id}_secret_${newId('s').slice(2)}`,
    confirmation_method: 'automatic',
    created: act.at,
    customer_account: null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: {},
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    review: null,
    setup_future_usage: 'off_session',
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'requires_payment_method',
    transfer_data: null,
    transfer_group: null,
  };
  act.tables.paymentIntents.save(intent, null);
  act.emit('payment_intent.created', intent);
  return intent;
}

export interface PaymentOutcome {
  intent: PaymentIntent;
  charge: Charge;
  decline: Decline | null;
  /** The owner would have to confirm it with the bank. */
  action_required: boolean;
}

/** Why a card would refuse a charge just now. `present`: its owner is there and confirms what the bank asks. */
export function chargeDecline(
  act: Act,
  behaviour: CardBehaviour,
  present: boolean,
): Decline | null {
  const dial = act.settings.charge_decline();
  if (dial !== null) return declineByCode(dial);
  if (behaviour.charge) return behaviour.charge;
  return behaviour.authentication === 'always' && !present
    ? DECLINES.authentication_required
    : null;
}

/** Tries to take the money from a card. */
export function attemptPayment(
  act: Act,
  intent: PaymentIntent,
  method: PaymentMethod,
  present: boolean,
): PaymentOutcome {
  const decline = chargeDecline(act, methodBehaviour(act, method.id), present);
  const charge = createCharge(act, intent, method, decline);
  if (!decline) {
    const paid = change(act, intent, {
      amount_received: intent.amount,
      last_payment_error: null,
      latest_charge: charge.id,
      next_action: null,
      payment_method: method.id,
      status: 'succeeded',
    });
    act.emit('payment_intent.succeeded', paid);
    return { intent: paid, charge, decline, action_required: false };
  }
  const action_required = decline.decline_code === 'authentication_required';
  const failed = change(
    act,
    intent,
    failureFields(intent, charge, decline, method, action_required),
  );
  act.emit('payment_intent.payment_failed', failed);
  if (action_required) act.emit('payment_intent.requires_action', failed);
  return { intent: failed, charge, decline, action_required };
}

function failureFields(
  intent: PaymentIntent,
  charge: Charge,
  decline: Decline,
  method: PaymentMethod,
  action_required: boolean,
): Partial<PaymentIntent> {
  return {
    latest_charge: charge.id,
    last_payment_error: {
      charge: charge.id,
      code: decline.code as 'card_declined',
      ...(decline.decline_code ? { decline_code: decline.decline_code } : {}),
      doc_url: `https://stripe.com/docs/error-codes/${decline.code.replaceAll('_', '-')}`,
      message: decline.message,
      payment_method: method as unknown as never,
      type: 'card_error',
    },
    next_action: action_required
      ? ({ type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect' } } as never)
      : null,
    payment_method: action_required ? method.id : intent.payment_method,
    status: action_required ? 'requires_action' : 'requires_payment_method',
  };
}

/** Gives a payment up, for an invoice that was voided. */
export function cancelIntent(act: Act, intent: PaymentIntent): void {
  if (intent.status === 'succeeded' || intent.status === 'canceled') return;
  const canceled = change(act, intent, {
    canceled_at: act.at,
    cancellation_reason: 'void_invoice',
    next_action: null,
    status: 'canceled',
  });
  act.emit('payment_intent.canceled', canceled);
}

function change(act: Act, intent: PaymentIntent, fields: Partial<PaymentIntent>): PaymentIntent {
  return amend(act, act.tables.paymentIntents, intent, fields, null);
}
