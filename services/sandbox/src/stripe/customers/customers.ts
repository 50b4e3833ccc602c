import { endpoint, reads } from '../api/endpoint.ts';
import { shownCustomer } from '../api/expand.ts';
import { listOf } from '../api/list.ts';
import {
  currency,
  email,
  emptyable,
  hash,
  type Input,
  integer,
  listParams,
  metadata,
  oneOf,
  optional,
  patchMetadata,
  text,
} from '../api/params.ts';
import { missingObject, missingReference, refused } from '../api/stripe-error.ts';
import { attachMethod } from '../payments/payment-methods.ts';
import { type Act, amend } from '../state/act.ts';
import type { Customer } from '../state/objects.ts';
import type { Tables } from '../state/tables.ts';
import { endSubscription, hasEnded } from '../subscriptions/end-subscription.ts';
import { changeBalance } from './balance.ts';
import { createCustomer } from './create-customer.ts';

const params = {
  description: optional(emptyable(text)),
  email: optional(emptyable(email)),
  invoice_settings: optional(hash({ default_payment_method: optional(emptyable(text)) })),
  metadata: optional(metadata),
  name: optional(emptyable(text)),
  phone: optional(emptyable(text)),
};

function create(act: Act, input: Input<typeof params> & { payment_method?: string }): Customer {
  const { payment_method, invoice_settings, metadata: patch, ...fields } = input;
  const customer = createCustomer(act, { ...fields, metadata: patchMetadata({}, patch) });
  if (!payment_method) return customer;
  const method = act.tables.paymentMethods.refer(payment_method, 'payment_method');
  attachMethod(act, method, customer.id);
  return update(act, customer, invoice_settings ? { invoice_settings } : {});
}

function update(act: Act, customer: Customer, input: Input<typeof params>): Customer {
  const { invoice_settings: settings, metadata: patch, ...fields } = input;
  const method = settings?.default_payment_method;
  if (method && act.tables.paymentMethods.find(method)?.customer !== customer.id) {
    throw missingReference('PaymentMethod', method, 'invoice_settings[default_payment_method]');
  }
  const change = {
    ...fields,
    invoice_settings: { ...customer.invoice_settings, ...settings },
    metadata: patchMetadata(customer.metadata, patch),
  };
  return amend(act, act.tables.customers, customer, change, 'customer.updated');
}

/** Returns a customer that is not deleted. */
function getLiving({ customers }: Tables, id: string): Customer {
  const customer = customers.get(id);
  if (customers.hidden(id).deleted) throw missingObject('customer', id);
  return customer;
}

const createParams = { ...params, payment_method: optional(text) };
const balanceParams = {
  amount: integer,
  currency,
  description: optional(text),
  metadata: optional(metadata),
};

export const customerEndpoints = [
  endpoint('POST', '/v1/customers', createParams, create),
  endpoint('POST', '/v1/customers/:id', params, (act, input, id) =>
    update(act, getLiving(act.tables, id), input),
  ),
  endpoint('DELETE', '/v1/customers/:id', {}, (act, _input, id) => {
    const customer = getLiving(act.tables, id);
    for (const subscription of act.tables.subscriptions.by('customer', id)) {
      if (!hasEnded(subscription)) endSubscription(act, subscription, 'cancellation_requested');
    }
    act.tables.customers.save(customer, { deleted: true });
    act.emit('customer.deleted', customer);
    return shownCustomer(act.tables, customer);
  }),
  ...reads(
    '/v1/customers',
    (tables) => tables.customers,
    { email: optional(text) },
    (tables) => ({
      accepts: ({ id }) => !tables.customers.hidden(id).deleted,
      show: (customer) => shownCustomer(tables, customer),
    }),
  ),
  endpoint('POST', '/v1/customers/:id/balance_transactions', balanceParams, (act, input, id) => {
    const customer = getLiving(act.tables, id).id;
    if (input.amount === 0) throw refused('The amount must not be zero.', { param: 'amount' });
    const patched = patchMetadata({}, input.metadata);
    return changeBalance(act, { ...input, customer, type: 'adjustment', metadata: patched });
  }),
  endpoint('GET', '/v1/customers/:id/balance_transactions', listParams, ({ tables }, input, id) => {
    const customer = tables.customers.get(id).id;
    const url = `/v1/customers/${id}/balance_transactions`;
    return listOf(tables.balanceEntries, { ...input, customer }, url);
  }),
  endpoint(
    'GET',
    '/v1/customers/:id/payment_methods',
    { ...listParams, type: optional(oneOf('card')) },
    ({ tables }, input, id) => {
      const customer = tables.customers.get(id).id;
      const url = `/v1/customers/${id}/payment_methods`;
      return listOf(tables.paymentMethods, { ...input, customer }, url);
    },
  ),
];
