import { endpoint } from '../api/endpoint.ts';
import { page } from '../api/list.ts';
import { demand, refer } from '../api/lookup.ts';
import {
  currency,
  email,
  emptyable,
  hash,
  integerBetween,
  listParams,
  metadata,
  oneOf,
  patchMetadata,
  required,
  text,
  timeRange,
  type Values,
} from '../api/params.ts';
import { refused } from '../api/stripe-error.ts';
import { type Act, amend } from '../state/act.ts';
import type { Charge, PaymentMethod, Refund } from '../state/objects.ts';
import { attachMethod, createCardMethod, detachMethod } from './payment-methods.ts';
import { refundCharge } from './refunds.ts';

const ofCustomer = { ...listParams, created: timeRange, customer: text };
const methodParams = {
  type: required(oneOf('card')),
  card: required(
    hash({
      number: required(text),
      exp_month: required(integerBetween(1, 12)),
      exp_year: required(integerBetween(2000, 2099)),
      cvc: text,
    }),
  ),
  billing_details: hash({ email: emptyable(email), name: emptyable(text) }),
  metadata,
};
const methodUpdateParams = {
  billing_details: hash({ email: emptyable(email), name: emptyable(text) }),
  metadata,
};
const refundParams = {
  amount: integerBetween(1, 99_999_999),
  charge: text,
  payment_intent: text,
  reason: oneOf('duplicate', 'fraudulent', 'requested_by_customer'),
  metadata,
};

function createMethod(act: Act, input: Values<typeof methodParams>): PaymentMethod {
  const { email: address = null, name = null } = input.billing_details ?? {};
  const entry = { ...input.card, cvc: input.card.cvc ?? null };
  const method = createCardMethod(act, entry, { email: address, name });
  const change = { metadata: patchMetadata({}, input.metadata) };
  return amend(act, act.tables.paymentMethods, method, change, null);
}

function updateMethod(
  act: Act,
  method: PaymentMethod,
  input: Values<typeof methodUpdateParams>,
): PaymentMethod {
  const change = {
    billing_details: { ...method.billing_details, ...input.billing_details },
    metadata: patchMetadata(method.metadata ?? {}, input.metadata),
  };
  return amend(act, act.tables.paymentMethods, method, change, 'payment_method.updated');
}

function chargeToRefund(act: Act, input: Values<typeof refundParams>): Charge {
  const { tables } = act;
  if (input.charge) return refer(tables.charges, input.charge, 'charge');
  if (!input.payment_intent) {
    throw refused(
      'One of the following params should be provided for this request: payment_intent or charge.',
      {
        code: 'parameter_missing',
      },
    );
  }
  const intent = refer(tables.paymentIntents, input.payment_intent, 'payment_intent');
  const charge = tables.charges.find(intent.latest_charge ?? '');
  if (charge?.status !== 'succeeded') {
    throw refused('This PaymentIntent does not have a successful charge to refund.', {
      param: 'payment_intent',
    });
  }
  return charge;
}

function createRefund(act: Act, input: Values<typeof refundParams>): Refund {
  return refundCharge(act, chargeToRefund(act, input), {
    ...(input.amount === undefined ? {} : { amount: input.amount }),
    reason: input.reason ?? null,
    metadata: patchMetadata({}, input.metadata),
  });
}

const methodEndpoints = [
  endpoint('POST', '/v1/payment_methods', methodParams, createMethod),
  endpoint('GET', '/v1/payment_methods/:id', {}, ({ tables }, _input, { id }) =>
    demand(tables.paymentMethods, id),
  ),
  endpoint('POST', '/v1/payment_methods/:id', methodUpdateParams, (act, input, { id }) =>
    updateMethod(act, demand(act.tables.paymentMethods, id), input),
  ),
  endpoint(
    'POST',
    '/v1/payment_methods/:id/attach',
    { customer: required(text) },
    (act, { customer }, { id }) => {
      refer(act.tables.customers, customer, 'customer');
      const method = demand(act.tables.paymentMethods, id);
      return method.customer === customer ? method : attachMethod(act, method, customer);
    },
  ),
  endpoint('POST', '/v1/payment_methods/:id/detach', {}, (act, _input, { id }) =>
    detachMethod(act, demand(act.tables.paymentMethods, id)),
  ),
  endpoint(
    'GET',
    '/v1/payment_methods',
    { ...listParams, customer: text, type: oneOf('card') },
    ({ tables }, input) => {
      const { paymentMethods } = tables;
      const ids = input.customer
        ? paymentMethods.idsBy('customer', input.customer)
        : paymentMethods.ids();
      return page(paymentMethods, ids, input, '/v1/payment_methods');
    },
  ),
];

const intentEndpoints = [
  endpoint('GET', '/v1/payment_intents/:id', {}, ({ tables }, _input, { id }) =>
    demand(tables.paymentIntents, id),
  ),
  endpoint('GET', '/v1/payment_intents', ofCustomer, ({ tables }, input) => {
    const { paymentIntents } = tables;
    const ids = input.customer
      ? paymentIntents.idsBy('customer', input.customer)
      : paymentIntents.ids();
    return page(paymentIntents, ids, input, '/v1/payment_intents');
  }),
  endpoint('GET', '/v1/setup_intents/:id', {}, ({ tables }, _input, { id }) =>
    demand(tables.setupIntents, id),
  ),
  endpoint(
    'GET',
    '/v1/setup_intents',
    { ...ofCustomer, payment_method: text },
    ({ tables }, input) => {
      const { setupIntents } = tables;
      const ids = input.customer
        ? setupIntents.idsBy('customer', input.customer)
        : setupIntents.ids();
      return page(
        setupIntents,
        ids,
        input,
        '/v1/setup_intents',
        (intent) =>
          input.payment_method === undefined || intent.payment_method === input.payment_method,
      );
    },
  ),
];

const moneyEndpoints = [
  endpoint('GET', '/v1/charges/:id', {}, ({ tables }, _input, { id }) =>
    demand(tables.charges, id),
  ),
  endpoint(
    'GET',
    '/v1/charges',
    { ...ofCustomer, payment_intent: text },
    ({ tables: { charges } }, input) => {
      const ids = input.payment_intent
        ? charges.idsBy('payment_intent', input.payment_intent)
        : input.customer
          ? charges.idsBy('customer', input.customer)
          : charges.ids();
      return page(charges, ids, input, '/v1/charges');
    },
  ),
  endpoint('POST', '/v1/refunds', refundParams, createRefund),
  endpoint('GET', '/v1/refunds/:id', {}, ({ tables }, _input, { id }) =>
    demand(tables.refunds, id),
  ),
  endpoint(
    'GET',
    '/v1/refunds',
    { ...listParams, created: timeRange, charge: text, payment_intent: text },
    ({ tables: { refunds } }, input) => {
      const ids = input.charge
        ? refunds.idsBy('charge', input.charge)
        : input.payment_intent
          ? refunds.idsBy('payment_intent', input.payment_intent)
          : refunds.ids();
      return page(refunds, ids, input, '/v1/refunds');
    },
  ),
  endpoint('GET', '/v1/balance_transactions/:id', {}, ({ tables }, _input, { id }) =>
    demand(tables.ledger, id),
  ),
  endpoint(
    'GET',
    '/v1/balance_transactions',
    { ...listParams, created: timeRange, currency, source: text, type: text },
    ({ tables: { ledger } }, input) => {
      const ids = input.source
        ? ledger.idsBy('source', input.source)
        : input.type
          ? ledger.idsBy('type', input.type)
          : ledger.ids();
      return page(
        ledger,
        ids,
        input,
        '/v1/balance_transactions',
        (entry) =>
          (input.type === undefined || entry.type === input.type) &&
          (input.currency === undefined || entry.currency === input.currency),
      );
    },
  ),
  endpoint('GET', '/v1/balance', {}, ({ tables }) => {
    const entries = tables.ledger.ids().map((id) => tables.ledger.find(id)!);
    const amount = entries.reduce((sum, entry) => sum + entry.net, 0);
    return {
      object: 'balance',
      available: [{ amount, currency: 'usd', source_types: { card: amount } }],
      livemode: false,
      pending: [{ amount: 0, currency: 'usd', source_types: { card: 0 } }],
    };
  }),
];

export const paymentEndpoints = [...methodEndpoints, ...intentEndpoints, ...moneyEndpoints];
