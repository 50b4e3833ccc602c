import type { Act } from '../state/act.ts';
import { newId } from '../state/ids.ts';
import { type Customer, nulls } from '../state/objects.ts';

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
