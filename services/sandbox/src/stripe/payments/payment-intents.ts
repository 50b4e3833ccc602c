import { type Act, amend } from '../state/act.ts';
import { newId } from '../state/ids.ts';
import { type Charge, nulls, type PaymentIntent, type PaymentMethod } from '../state/objects.ts';
import { type Decline, declineByCode, type TestCard } from './cards.ts';
import { createCharge } from './charges.ts';
import { testCardBehind } from './payment-methods.ts';

interface IntentFields {
  amount: number;
  currency: string;
  customer: string;
  description: string;
  receipt_email: string | null;
}

/** Creates a payment; nothing is charged yet. */
export function createIntent(act: Act, fields: IntentFields): PaymentIntent {
  const id = newId('pi');
  const intent: PaymentIntent = {
    ...nulls('application application_fee_amount automatic_payment_methods canceled_at'),
    ...nulls('cancellation_reason customer_account excluded_payment_method_types'),
    ...nulls('last_payment_error latest_charge managed_payments next_action on_behalf_of'),
    ...nulls('payment_method payment_method_configuration_details payment_method_options'),
    ...nulls('payment_record processing review shipping source statement_descriptor'),
    ...nulls('statement_descriptor_suffix transfer_data transfer_group'),
    ...fields,
    id,
    object: 'payment_intent',
    allowed_payment_method_types: ['card'],
    amount_capturable: 0,
    amount_received: 0,
    capture_method: 'automatic',
    client_secret: `${id}_secret_${newId('s').slice(2)}`,
    confirmation_method: 'automatic',
    created: act.at,
    livemode: false,
    metadata: {},
    payment_method_types: ['card'],
    setup_future_usage: 'off_session',
    status: 'requires_payment_method',
  };
  act.tables.paymentIntents.save(intent);
  act.emit('payment_intent.created', intent);
  return intent;
}

export interface PaymentOutcome {
  intent: PaymentIntent;
  charge: Charge;
  decline: Decline | null;
  action_required: boolean;
}

/** Returns why a card declines a charge, or null. `present`: the owner is there to confirm for the bank. */
export function chargeDecline(act: Act, card: TestCard, present: boolean): Decline | null {
  const { charge_decline } = act.settings.dials();
  if (charge_decline !== undefined) return declineByCode(charge_decline);
  const unconfirmed = card.confirms && !present;
  return card.charge ?? (unconfirmed ? declineByCode('authentication_required') : null);
}

/** Attempts to charge a card. */
export function attemptPayment(
  act: Act,
  intent: PaymentIntent,
  method: PaymentMethod,
  present: boolean,
): PaymentOutcome {
  const decline = chargeDecline(act, testCardBehind(act, method.id), present);
  const charge = createCharge(act, intent, method, decline);
  if (!decline) {
    const paid = amend(act, act.tables.paymentIntents, intent, {
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
  const failed = amend(
    act,
    act.tables.paymentIntents,
    intent,
    failureFields(intent, charge, decline, method, action_required),
  );
  act.emit('payment_intent.payment_failed', failed);
  if (action_required) act.emit('payment_intent.requires_action', failed);
  return { intent: failed, charge, decline, action_required };
}

export const authenticationFailure = 'payment_intent_authentication_failure';

/** Records that the customer failed to confirm a payment. They can try again. */
export function failConfirmation(act: Act, intent: PaymentIntent): void {
  const failed = amend(act, act.tables.paymentIntents, intent, {
    last_payment_error: {
      code: authenticationFailure,
      doc_url: 'https://stripe.com/docs/error-codes/payment-intent-authentication-failure',
      message: "We couldn't confirm this payment. Please try again.",
      payment_method: intent.last_payment_error?.payment_method as never,
      type: 'invalid_request_error',
    },
    next_action: null,
    payment_method: null,
    status: 'requires_payment_method',
  });
  act.emit('payment_intent.payment_failed', failed);
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
      decline_code: decline.decline_code,
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
