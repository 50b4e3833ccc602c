import type { Tables } from '../state/tables.ts';
import { wholeList } from './list.ts';
import { invalidRequest } from './stripe-error.ts';

const MAX_LEVELS = 4;

type Json = Record<string, unknown>;

/** Replaces ids by their objects along each path, such as `data.latest_invoice.payments`. */
export function expandAll(tables: Tables, body: object, paths: readonly string[]): object {
  return paths.reduce<object>((value, path) => {
    const parts = path.split('.');
    if (parts.filter((part) => part !== 'data').length > MAX_LEVELS) {
      throw invalidRequest(
        `You can only expand up to ${MAX_LEVELS} levels of properties; ${path} is deeper.`,
        { param: 'expand' },
      );
    }
    return expand(tables, value, parts, path) as object;
  }, body);
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
  const child = object[key];
  if (child === undefined) return includable(tables, object, key);
  if (typeof child !== 'string') return child;
  return key === 'id' ? undefined : lookUp(tables, child);
}

/** Returns a list that an object carries only on request. */
function includable(tables: Tables, object: Json, key: string): unknown {
  const id = String(object.id);
  switch (`${object.object}.${key}`) {
    case 'invoice.payments':
      return wholeList('/v1/invoice_payments', tables.invoicePayments.by('invoice', id));
    case 'checkout.session.line_items':
      return wholeList(
        `/v1/checkout/sessions/${id}/line_items`,
        tables.checkoutSessions.hidden(id).line_items,
      );
    case 'charge.refunds':
      return wholeList(`/v1/charges/${id}/refunds`, tables.refunds.by('charge', id).reverse());
    case 'customer.subscriptions':
      return wholeList(
        `/v1/customers/${id}/subscriptions`,
        tables.subscriptions.by('customer', id).filter((each) => each.status !== 'canceled'),
      );
    default:
      return undefined;
  }
}

/** Returns the object with an id of any kind. */
function lookUp(tables: Tables, id: string): object | undefined {
  const table = {
    cbtxn: tables.balanceEntries,
    price: tables.prices,
    pm: tables.paymentMethods,
    pi: tables.paymentIntents,
    seti: tables.setupIntents,
    ch: tables.charges,
    re: tables.refunds,
    txn: tables.ledger,
    sub: tables.subscriptions,
    in: tables.invoices,
    cs: tables.checkoutSessions,
    bpc: tables.portalConfigurations,
    prod: tables.products,
  }[id.slice(0, id.indexOf('_'))];
  const customer = tables.customers.find(id);
  return customer ? shownCustomer(tables, customer) : table?.find(id);
}

/** Returns a customer as the API shows it; deleted ones have only an id. */
export function shownCustomer(tables: Tables, customer: { id: string }): object {
  const { id } = customer;
  return tables.customers.hidden(id).deleted ? { id, object: 'customer', deleted: true } : customer;
}
