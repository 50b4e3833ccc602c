import { endpoint, reads } from '../api/endpoint.ts';
import {
  currency,
  email,
  emptyable,
  hash,
  type Input,
  integerBetween,
  metadata,
  oneOf,
  optional,
  patchMetadata,
  text,
} from '../api/params.ts';
import { refused } from '../api/stripe-error.ts';
import { type Act, amend } from '../state/act.ts';
import type { Charge } from '../state/objects.ts';
import { attachMethod, createCardMethod, detachMethod } from './payment-methods.ts';
import { refundCharge } from './refunds.ts';

const card = hash({
  number: text,
  exp_month: integerBetween(1, 12),
  exp_year: integerBetween(2000, 2099),
  cvc: optional(text),
});
const methodParams = {
  type: oneOf('card'),
  card,
  billing_details: optional(
    hash({ email: optional(emptyable(email)), name: optional(emptyable(text)) }),
  ),
  metadata: optional(metadata),
};
const refundParams = {
  amount: optional(integerBetween(1, 99_999_999)),
  charge: optional(text),
  payment_intent: optional(text),
  reason: optional(oneOf('duplicate', 'fraudulent', 'requested_by_customer')),
  metadata: optional(metadata),
};

function chargeToRefund({ tables }: Act, input: Input<typeof refundParams>): Charge {
  if (input.charge) return tables.charges.refer(input.charge, 'charge');
  if (!input.payment_intent) {
    throw refused(
      'One of the following params should be provided for this request: payment_intent or charge.',
      { code: 'parameter_missing' },
    );
  }
  const intent = tables.paymentIntents.refer(input.payment_intent, 'payment_intent');
  const charge = tables.charges.find(intent.latest_charge ?? '');
  if (charge?.status === 'succeeded') return charge;
  throw refused('This PaymentIntent does not have a successful charge to refund.', {
    param: 'payment_intent',
  });
}

const customer = optional(text);

export const paymentEndpoints = [
  endpoint('POST', '/v1/payment_methods', methodParams, (act, input) => {
    const { email: address = null, name = null } = input.billing_details ?? {};
    const entry = { ...input.card, cvc: input.card.cvc ?? null };
    const method = createCardMethod(act, entry, { email: address, name });
    const change = { metadata: patchMetadata({}, input.metadata) };
    return amend(act, act.tables.paymentMethods, method, change);
  }),
  endpoint('POST', '/v1/payment_methods/:id/attach', { customer: text }, (act, input, id) => {
    const owner = act.tables.customers.refer(input.customer, 'customer').id;
    const method = act.tables.paymentMethods.get(id);
    return method.customer === owner ? method : attachMethod(act, method, owner);
  }),
  endpoint('POST', '/v1/payment_methods/:id/detach', {}, (act, _input, id) =>
    detachMethod(act, act.tables.paymentMethods.get(id)),
  ),
  ...reads('/v1/payment_methods', (tables) => tables.paymentMethods, {
    customer,
    type: optional(oneOf('card')),
  }),
  ...reads('/v1/payment_intents', (tables) => tables.paymentIntents, { customer }),
  ...reads('/v1/setup_intents', (tables) => tables.setupIntents, {
    customer,
    payment_method: optional(text),
  }),
  ...reads('/v1/charges', (tables) => tables.charges, { customer, payment_intent: optional(text) }),
  endpoint('POST', '/v1/refunds', refundParams, (act, input) =>
    refundCharge(act, chargeToRefund(act, input), {
      amount: input.amount,
      reason: input.reason ?? null,
      metadata: patchMetadata({}, input.metadata),
    }),
  ),
  ...reads('/v1/refunds', (tables) => tables.refunds, {
    charge: optional(text),
    payment_intent: optional(text),
  }),
  ...reads('/v1/balance_transactions', (tables) => tables.ledger, {
    currency: optional(currency),
    source: optional(text),
    type: optional(text),
  }),
];
