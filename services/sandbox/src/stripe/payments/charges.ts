import type { Act } from '../state/act.ts';
import { newId } from '../state/ids.ts';
import { type Charge, nulls, type PaymentIntent, type PaymentMethod } from '../state/objects.ts';
import type { Decline } from './cards.ts';
import { book, feeOf } from './ledger.ts';

/** Records one attempt to charge a card, and its ledger entry if it succeeded. */
export function createCharge(
  act: Act,
  intent: PaymentIntent,
  method: PaymentMethod,
  decline: Decline | null,
): Charge {
  const id = newId('ch');
  const paid = decline === null;
  const { amount } = intent;
  const charge: Charge = {
    ...nulls('application application_fee application_fee_amount calculated_statement_descriptor'),
    ...nulls('failure_balance_transaction on_behalf_of receipt_number receipt_url review shipping'),
    ...nulls('source source_transfer statement_descriptor statement_descriptor_suffix'),
    ...nulls('transfer_data transfer_group'),
    object: 'charge',
    amount_refunded: 0,
    disputed: false,
    fraud_details: {},
    livemode: false,
    refunded: false,
    id,
    amount,
    amount_captured: paid ? amount : 0,
    balance_transaction: paid
      ? book(act, { type: 'charge', source: id, amount, fee: feeOf(amount) }, intent).id
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
  act.tables.charges.save(charge);
  act.emit(paid ? 'charge.succeeded' : 'charge.failed', charge);
  return charge;
}

function outcomeOf(decline: Decline | null): Charge['outcome'] {
  return {
    advice_code: decline ? (decline.hard ? 'do_not_try_again' : 'try_again_later') : null,
    ...nulls('network_advice_code network_decline_code'),
    network_status: decline ? 'declined_by_network' : 'approved_by_network',
    reason: decline?.decline_code ?? null,
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
  const { brand, checks, country, exp_month, exp_year, fingerprint, funding, last4 } = method.card!;
  return {
    type: 'card',
    card: {
      ...nulls('authorization_code electronic_commerce_indicator installments mandate'),
      ...nulls('network_token network_transaction_id three_d_secure transaction_link_id wallet'),
      ...{ brand, checks, country, exp_month, exp_year, funding, last4 },
      amount_authorized: intent.amount,
      fingerprint: fingerprint ?? null,
      network: brand,
      regulated_status: 'unregulated',
    },
  };
}
