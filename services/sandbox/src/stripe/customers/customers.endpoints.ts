import { endpoint } from '../api/endpoint.ts';
import { page } from '../api/list.ts';
import { demand, refer } from '../api/lookup.ts';
import {
  currency,
  email,
  emptyable,
  hash,
  integer,
  list,
  listParams,
  metadata,
  oneOf,
  patchMetadata,
  required,
  text,
  timeRange,
  type Values,
} from '../api/params.ts';
import { missingObject, missingReference, refused } from '../api/stripe-error.ts';
import { attachMethod } from '../payments/payment-methods.ts';
import { type Act, amend } from '../state/act.ts';
import type { Customer } from '../state/objects.ts';
import type { Tables } from '../state/tables.ts';
import { endSubscription } from '../subscriptions/end-subscription.ts';
import { changeBalance } from './balance.ts';
import { createCustomer } from './customers.ts';

const address = {
  city: emptyable(text),
  country: emptyable(text),
  line1: emptyable(text),
  line2: emptyable(text),
  postal_code: emptyable(text),
  state: emptyable(text),
};
const shared = {
  address: emptyable(hash(address)),
  description: emptyable(text),
  email: emptyable(email),
  invoice_settings: hash({ default_payment_method: emptyable(text) }),
  metadata,
  name: emptyable(text),
  phone: emptyable(text),
  preferred_locales: list(text),
  shipping: emptyable(
    hash({ address: required(hash(address)), name: required(text), phone: text }),
  ),
  tax_exempt: oneOf('exempt', 'none', 'reverse'),
};
const createParams = { ...shared, payment_method: text };
const updateParams = shared;
const balanceParams = {
  amount: required(integer),
  currency: required(currency),
  description: text,
  metadata,
};

type Fields = Values<typeof shared>;

function fieldsOf(input: Fields, current: Partial<Customer>): Partial<Customer> {
  const { invoice_settings, address: place, shipping, metadata: patch, ...plain } = input;
  return {
    ...plain,
    metadata: patchMetadata(current.metadata ?? {}, patch),
    ...(place === undefined ? {} : { address: place && wholeAddress(place) }),
    ...(shipping === undefined
      ? {}
      : { shipping: shipping && { ...shipping, address: wholeAddress(shipping.address) } }),
    ...(invoice_settings && current.invoice_settings
      ? { invoice_settings: { ...current.invoice_settings, ...invoice_settings } }
      : {}),
  };
}

function wholeAddress(given: Values<typeof address>) {
  const empty = {
    city: null,
    country: null,
    line1: null,
    line2: null,
    postal_code: null,
    state: null,
  };
  return { ...empty, ...given };
}

function create(act: Act, input: Values<typeof createParams>): Customer {
  const { payment_method, invoice_settings, ...fields } = input;
  const customer = createCustomer(act, fieldsOf(fields, {}));
  if (!payment_method) return customer;
  const method = refer(act.tables.paymentMethods, payment_method, 'payment_method');
  attachMethod(act, method, customer.id);
  return update(act, customer, invoice_settings ? { invoice_settings } : {});
}

function update(act: Act, customer: Customer, input: Fields): Customer {
  const method = input.invoice_settings?.default_payment_method;
  if (method && act.tables.paymentMethods.find(method)?.customer !== customer.id) {
    throw missingReference('PaymentMethod', method, 'invoice_settings[default_payment_method]');
  }
  return amend(act, act.tables.customers, customer, fieldsOf(input, customer), 'customer.updated');
}

/** A customer that still is one. */
function demandLiving(tables: Tables, id: string): Customer {
  const customer = demand(tables.customers, id);
  if (tables.customers.hidden(id).deleted) throw missingObject('customer', id);
  return customer;
}

function remove(act: Act, customer: Customer): object {
  const { tables } = act;
  for (const subscription of tables.subscriptions.by('customer', customer.id)) {
    const over = ['canceled', 'incomplete_expired'].includes(subscription.status);
    if (!over) endSubscription(act, subscription, 'cancellation_requested');
  }
  tables.customers.save(customer, { deleted: true });
  act.emit('customer.deleted', customer);
  return { id: customer.id, object: 'customer', deleted: true };
}

const isLiving = (tables: Tables) => (customer: Customer) =>
  !tables.customers.hidden(customer.id).deleted;

export const customerEndpoints = [
  endpoint('POST', '/v1/customers', createParams, create),
  endpoint('GET', '/v1/customers/:id', {}, ({ tables }, _input, { id }) => {
    const customer = demand(tables.customers, id);
    return tables.customers.hidden(id).deleted
      ? { id, object: 'customer', deleted: true }
      : customer;
  }),
  endpoint('POST', '/v1/customers/:id', updateParams, (act, input, { id }) =>
    update(act, demandLiving(act.tables, id), input),
  ),
  endpoint('DELETE', '/v1/customers/:id', {}, (act, _input, { id }) =>
    remove(act, demandLiving(act.tables, id)),
  ),
  endpoint(
    'GET',
    '/v1/customers',
    { ...listParams, created: timeRange, email: text },
    ({ tables }, input) => {
      const { customers } = tables;
      const ids =
        input.email === undefined ? customers.ids() : customers.idsBy('email', input.email);
      return page(customers, ids, input, '/v1/customers', isLiving(tables));
    },
  ),
  endpoint(
    'POST',
    '/v1/customers/:id/balance_transactions',
    balanceParams,
    (act, input, { id }) => {
      const customer = demandLiving(act.tables, id);
      if (input.amount === 0) throw refused('The amount must not be zero.', { param: 'amount' });
      return changeBalance(act, {
        customer: customer.id,
        amount: input.amount,
        currency: input.currency,
        type: 'adjustment',
        description: input.description ?? null,
        metadata: patchMetadata({}, input.metadata),
      });
    },
  ),
  endpoint(
    'GET',
    '/v1/customers/:id/balance_transactions',
    { ...listParams, created: timeRange, invoice: text },
    ({ tables }, input, { id }) => {
      demand(tables.customers, id);
      const ids = tables.balanceEntries.idsBy('customer', id);
      const url = `/v1/customers/${id}/balance_transactions`;
      return page(
        tables.balanceEntries,
        ids,
        input,
        url,
        (entry) => input.invoice === undefined || entry.invoice === input.invoice,
      );
    },
  ),
  endpoint(
    'GET',
    '/v1/customers/:customer/balance_transactions/:id',
    {},
    ({ tables }, _input, { customer, id }) => {
      const entry = demand(tables.balanceEntries, id);
      if (entry.customer !== customer) throw missingObject(tables.balanceEntries.label, id);
      return entry;
    },
  ),
  endpoint(
    'GET',
    '/v1/customers/:id/payment_methods',
    { ...listParams, type: oneOf('card') },
    ({ tables }, input, { id }) => {
      demand(tables.customers, id);
      const ids = tables.paymentMethods.idsBy('customer', id);
      return page(tables.paymentMethods, ids, input, `/v1/customers/${id}/payment_methods`);
    },
  ),
];
