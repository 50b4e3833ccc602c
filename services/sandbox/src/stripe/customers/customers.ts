import { endpoint, listed } from '../api/endpoint.ts';
import { shownCustomer } from '../api/expand.ts';
import { listOf } from '../api/list.ts';
import {
  currency,
  email,
  emptyable,
  integer,
  listParams,
  metadata,
  optional,
  patchMetadata,
  text,
} from '../api/params.ts';
import { missingObject, missingReference, refused } from '../api/stripe-error.ts';
import { type Act, amend } from '../state/act.ts';
import { newId } from '../state/ids.ts';
import { type Customer, nulls } from '../state/objects.ts';
import type { Tables } from '../state/tables.ts';
import { endSubscription, hasEnded } from '../subscriptions/end-subscription.ts';
import { changeBalance } from './balance.ts';

const params = {
  email: optional(emptyable(email)),
  metadata: optional(metadata),
  name: optional(emptyable(text)),
};
const balanceParams = {
  amount: integer,
  currency,
  description: optional(text),
  metadata: optional(metadata),
};

export function createCustomer(act: Act, fields: Partial<Customer>): Customer {
  const customer: Customer = {
    ...nulls('address currency customer_account default_source description discount email name'),
    ...nulls('phone shipping test_clock'),
    id: newId('cus', 14),
    object: 'customer',
    balance: 0,
    created: act.at,
    delinquent: false,
    invoice_prefix: newId('', 8).slice(1).toUpperCase(),
    invoice_settings: nulls('custom_fields default_payment_method footer rendering_options'),
    livemode: false,
    metadata: {},
    next_invoice_sequence: 1,
    preferred_locales: [],
    tax_exempt: 'none',
    ...fields,
  };
  act.tables.customers.save(customer, { deleted: false });
  act.emit('customer.created', customer);
  return customer;
}

/** Returns the customer that a parameter names and that is not deleted. */
export function referCustomer({ customers }: Tables, id: string): Customer {
  const customer = customers.refer(id, 'customer');
  if (customers.hidden(id).deleted) throw missingReference('customer', id, 'customer');
  return customer;
}

/** Returns the customer that the path names and that is not deleted. */
function getLiving({ customers }: Tables, id: string): Customer {
  const customer = customers.get(id);
  if (customers.hidden(id).deleted) throw missingObject('customer', id);
  return customer;
}

export const customerEndpoints = [
  endpoint('POST', '/v1/customers', params, (act, { metadata: patch, ...fields }) =>
    createCustomer(act, { ...fields, metadata: patchMetadata({}, patch) }),
  ),
  endpoint('POST', '/v1/customers/:id', params, (act, { metadata: patch, ...fields }, id) => {
    const customer = getLiving(act.tables, id);
    const change = { ...fields, metadata: patchMetadata(customer.metadata, patch) };
    return amend(act, act.tables.customers, customer, change, 'customer.updated');
  }),
  endpoint('DELETE', '/v1/customers/:id', {}, (act, _input, id) => {
    const customer = getLiving(act.tables, id);
    for (const subscription of act.tables.subscriptions.by('customer', id)) {
      if (!hasEnded(subscription)) endSubscription(act, subscription, 'cancellation_requested');
    }
    act.tables.customers.save(customer, { deleted: true });
    act.emit('customer.deleted', customer);
    return shownCustomer(act.tables, customer);
  }),
  endpoint('GET', '/v1/customers/:id', {}, ({ tables }, _input, id) =>
    shownCustomer(tables, tables.customers.get(id)),
  ),
  listed(
    '/v1/customers',
    (tables) => tables.customers,
    { email: optional(text) },
    (tables) => ({ accepts: ({ id }) => !tables.customers.hidden(id).deleted }),
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
];
