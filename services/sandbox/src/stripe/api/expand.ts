import type { Tables } from '../state/tables.ts';
import { wholeList } from './list.ts';
import { invalidRequest } from './stripe-error.ts';

type Json = Record<string, unknown>;

/** Replaces ids by their objects along each path, such as `data.latest_invoice.payments`. */
export function expandAll(tables: Tables, body: object, paths: readonly string[]): object {
  return paths.reduce<object>(
    (value, path) => expand(tables, value, path.split('.'), path) as object,
    body,
  );
}

function expand(tables: Tables, value: unknown, parts: readonly string[], path: string): unknown {
  const [key, ...rest] = parts;
  if (key === undefined || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => expand(tables, each, parts, path));
  const child = typeof value === 'object' ? childOf(tables, value as Json, key) : undefined;
  if (child === undefined) {
    throw invalidRequest(`This property cannot be expanded (${path}).`, { param: 'expand' });
  }
  return { ...(value as Json), [key]: expand(tables, child, rest, path) };
}

function childOf(tables: Tables, object: Json, key: string): unknown {
  // A list that an invoice carries only on request.
  if (object.object === 'invoice' && key === 'payments') {
    const payments = tables.invoicePayments.by('invoice', String(object.id));
    return wholeList('/v1/invoice_payments', payments);
  }
  const child = object[key];
  // Ids of a list, such as discounts.
  if (Array.isArray(child))
    return child.map((each) => (typeof each === 'string' ? (lookUp(tables, each) ?? each) : each));
  if (typeof child !== 'string') return child;
  // A coupon's id has no prefix.
  if (key === 'coupon') return tables.coupons.find(child);
  return key === 'id' ? undefined : lookUp(tables, child);
}

/** Returns the object with an id of any kind. */
function lookUp(tables: Tables, id: string): object | undefined {
  const table = {
    cus: tables.customers,
    pm: tables.paymentMethods,
    pi: tables.paymentIntents,
    ch: tables.charges,
    sub: tables.subscriptions,
    in: tables.invoices,
    di: tables.discounts,
    promo: tables.promotionCodes,
  }[id.slice(0, id.indexOf('_'))];
  const object = table?.find(id);
  return object && table === tables.customers ? shownCustomer(tables, object) : object;
}

/** Returns a customer as the API shows it; deleted ones have only an id. */
export function shownCustomer(tables: Tables, customer: { id: string }): object {
  const { id } = customer;
  return tables.customers.hidden(id).deleted ? { id, object: 'customer', deleted: true } : customer;
}
