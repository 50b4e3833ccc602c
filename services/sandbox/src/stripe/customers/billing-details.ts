import { refused } from '../api/stripe-error.ts';
import { type Act, amend } from '../state/act.ts';
import type { Customer, TaxId } from '../state/objects.ts';
import type { Tables } from '../state/tables.ts';

const taxIdTypes = {
  eu_vat: /^[A-Z]{2}[A-Z0-9]{2,13}$/,
  gb_vat: /^GB[A-Z0-9]{5,12}$/,
  us_ein: /^\d{2}-?\d{7}$/,
  ca_bn: /^\d{9}$/,
  au_abn: /^\d{11}$/,
} as const;
export type TaxIdType = keyof typeof taxIdTypes;

const taxIdsOf = ({ customers }: Tables, { id }: Customer): TaxId[] =>
  customers.hidden(id).tax_ids ?? [];

/** Returns the fields of an invoice that say who it is for. Stripe takes them again when it finalizes a draft. */
export function billedTo(tables: Tables, customer: Customer) {
  return {
    customer_address: customer.address ?? null,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_phone: customer.phone ?? null,
    customer_tax_ids: taxIdsOf(tables, customer),
  };
}

export function addressLines(address: Customer['address']): string[] {
  const { line1, line2, postal_code, city, state, country } = address ?? {};
  return [line1, line2, [city, state, postal_code].filter(Boolean).join(' '), country].filter(
    (line): line is string => !!line,
  );
}

const addressFields = ['line1', 'line2', 'city', 'state', 'postal_code', 'country'] as const;

/** Returns the details as the fields of the portal's form. */
export function detailValues(tables: Tables, customer: Customer): Record<string, string> {
  const [taxId] = taxIdsOf(tables, customer);
  return {
    billing_name: customer.name ?? '',
    ...Object.fromEntries(addressFields.map((name) => [name, customer.address?.[name] ?? ''])),
    tax_id_type: taxId?.type ?? 'us_ein',
    tax_id: taxId?.value ?? '',
  };
}

/** Stores what the customer entered in the portal. Empty fields remove a detail. */
export function saveDetails(act: Act, customer: Customer, form: Record<string, string>): void {
  const { tables } = act;
  const typed = (name: string) => form[name]?.trim() ?? '';
  const value = typed('tax_id');
  const type = typed('tax_id_type') as TaxIdType;
  if (value !== '' && !taxIdTypes[type]?.test(value))
    throw refused('This tax ID is invalid.', { code: 'tax_id_invalid' });
  if (!/^([A-Z]{2})?$/.test(typed('country')))
    throw refused('Enter the country as two letters, such as US.', { code: 'country_invalid' });
  const lines = addressFields.map((name) => [name, typed(name) || null] as const);
  const address = lines.some(([, line]) => line !== null)
    ? (Object.fromEntries(lines) as unknown as NonNullable<Customer['address']>)
    : null;
  const hidden = tables.customers.hidden(customer.id);
  tables.customers.save(customer, { ...hidden, tax_ids: value === '' ? [] : [{ type, value }] });
  const name = typed('billing_name') || null;
  amend(act, tables.customers, customer, { name, address }, 'customer.updated');
}
