import { newId } from '../api/ids.ts';
import type { Act } from '../state/act.ts';
import type { Charge, PaymentIntent, PaymentMethod } from '../state/objects.ts';
import type { Decline } from './cards.ts';
import { bookCharge } from './ledger.ts';

/** Records one try to take an intent's money from a card, and books it where it succeeded. */
export function createCharge(
  act: Act,
  intent: PaymentIntent,
  method: PaymentMethod,
  decline: Decline | null,
): Charge {
  const id = newId('ch');
  const paid = decline === null;
  const charge: Charge = {
    ...constantFields(),
    id,
    amount: intent.amount,
    amount_captured: paid ? intent.amount : 0,
    balance_transaction: paid
      ? bookCharge(act, { id, amount: intent.amount, currency: intent.currency })
      : null,
    billing_details: { ...method.billing_details, tax_id: null },
    captured: paid,
    created: act.at,
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    metadata: intent.metadata,
    outcome: outcomeOf(decline),
    paid,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: cardDetails(intent, method),
    receipt_email: intent.receipt_email,
    status: paid ? 'succeeded' : 'failed',
  };
  act.tables.charges.save(charge, null);
  act.emit(paid ? 'charge.succeeded' : 'charge.failed', charge);
  return charge;
}

function constantFields() {
  return {
    object: 'charge' as const,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    calculated_statement_descriptor: null,
    disputed: false,
    failure_balance_transaction: null,
    fraud_details: {},
    livemode: false,
    on_behalf_of: null,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    transfer_data: null,
    transfer_group: null,
  };
}

function outcomeOf(decline: Decline | null): Charge['outcome'] {
  return {
    advice_code: decline ? (decline.hard ? 'do_not_try_again' : 'try_again_later') : null,
    network_advice_code: null,
    network_decline_code: null,
    network_status: decline ? 'declined_by_network' : 'approved_by_network',
    reason: decline ? (decline.decline_code ?? decline.code) : null,
    risk_level: 'normal',
    risk_score: 10,
    seller_message: decline
      ? 'The bank did not return any further details with this decline.'
      : 'Payment complete.',
    type: decline ? 'issuer_declined' : 'authorized',
  };
}

function cardDetails(
  intent: PaymentIntent,
  method: PaymentMethod,
): Charge['payment_method_details'] {
  const card = method.card!;
  return {
    type: 'card',
    card: {
      amount_authorized: intent.amount,
      authorization_code: null,
      brand: card.brand,
      checks: card.checks,
      country: card.country,
      electronic_commerce_indicator: null,
      exp_month: card.exp_month,
      exp_year: card.exp_year,
      fingerprint: card.fingerprint ?? null,
      funding: card.funding,
      installments: null,
      last4: card.last4,
      mandate: null,
      network: card.brand,
      network_token: null,
      network_transaction_id: null,
      regulated_status: 'unregulated',
      three_d_secure: null,
      transaction_link_id: null,
      wallet: null,
    },
  };
}
