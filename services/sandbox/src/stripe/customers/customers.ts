import { newId } from '../api/ids.ts';
import type { Act } from '../state/act.ts';
import type { Customer } from '../state/objects.ts';

/** Adds a customer. */
export function createCustomer(act: Act, fields: Partial<Customer>): Customer {
  const customer: Customer = {
    id: newId('cus', 14),
    object: 'customer',
    address: null,
    balance: 0,
    created: act.at,
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: null,
    discount: null,
    email: null,
    invoice_prefix: newId('', 8).slice(1).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: {},
    name: null,
    next_invoice_sequence: 1,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
    ...fields,
  };
  act.tables.customers.save(customer, { deleted: false });
  act.emit('customer.created', customer);
  return customer;
}
