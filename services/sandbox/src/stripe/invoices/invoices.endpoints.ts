import { endpoint, listed, read } from '../api/endpoint.ts';
import { boolean, type Input, oneOf, optional, text } from '../api/params.ts';
import { refused } from '../api/stripe-error.ts';
import type { Act } from '../state/act.ts';
import { newId } from '../state/ids.ts';
import type { Invoice, Subscription } from '../state/objects.ts';
import type { Tables } from '../state/tables.ts';
import {
  collectInvoice,
  collectionError,
  payElsewhere,
  voidOpen,
} from '../subscriptions/collection.ts';
import { nextBoundary } from '../subscriptions/periods.ts';
import { planChange } from '../subscriptions/plan-change.ts';
import { planParams, readPlanChange } from '../subscriptions/subscriptions.endpoints.ts';
import { currentPeriod, itemOf, itemsWith, monthsOf } from '../subscriptions/subscriptions.ts';
import { applyBalance } from './balance-application.ts';
import { type Charging, periodCharging } from './invoice-lines.ts';
import { buildInvoice, stopCollection } from './invoices.ts';

const previewParams = {
  // Empty: without the subscription's discounts.
  discounts: optional(oneOf('')),
  subscription: text,
  /** Without a change, or with one that is charged later: the next renewal. */
  subscription_details: optional(planParams),
};

/** Returns the invoice that a change of the subscription would create now. Nothing is stored. */
function preview(act: Act, input: Input<typeof previewParams>): Invoice {
  const { tables } = act;
  const subscription = tables.subscriptions.refer(input.subscription, 'subscription');
  const change = readPlanChange(act, subscription, input.subscription_details ?? {});
  const { fields, charging: now } = planChange(tables, act.at, subscription, change);
  const next = { ...subscription, ...fields };
  const { start, end } = currentPeriod(next);
  if (!now && next.cancel_at !== null && next.cancel_at <= end)
    throw refused('No upcoming invoices for customer', { code: 'invoice_upcoming_none' });
  const charging = now ?? [renewalCharging(tables, next)];
  const customer = tables.customers.find(subscription.customer)!;
  const invoice = buildInvoice(tables, now ? act.at : end, newId('upcoming_in'), {
    customer,
    subscription: {
      ...next,
      ...(input.discounts === '' && { discounts: [] }),
    } as Subscription,
    billing_reason: 'upcoming',
    charging,
    period: now ? { start: currentPeriod(subscription).start, end: act.at } : { start, end },
    finalizes_at: null,
  });
  const { bookings: _, ...applied } = applyBalance(
    invoice.total,
    customer.balance,
    invoice.currency,
  );
  return { ...invoice, ...applied, amount_remaining: applied.amount_due };
}

/** Charges the period after the current one. */
function renewalCharging(tables: Tables, subscription: Subscription): Charging {
  const { end: start } = currentPeriod(subscription);
  const item = itemOf(subscription);
  const end = nextBoundary(subscription.billing_cycle_anchor, monthsOf(item.price), start);
  return periodCharging(tables, itemsWith(item, { start, end }).data[0]!);
}

const payParams = { paid_out_of_band: optional(boolean) };

/** Charges an open invoice now, off-session: the customer can't confirm for the bank. */
function pay(act: Act, input: Input<typeof payParams>, id: string): Invoice {
  const invoice = act.tables.invoices.get(id);
  if (input.paid_out_of_band) return payElsewhere(act, invoice);
  const collection = collectInvoice(act, invoice, { planned: false });
  if (collection.invoice.status !== 'paid') throw collectionError(collection);
  return collection.invoice;
}

const updateParams = { auto_advance: oneOf('false') };

/** Keeps a draft from being finalized. */
function update(act: Act, _input: Input<typeof updateParams>, id: string): Invoice {
  return stopCollection(act, act.tables.invoices.get(id));
}

export const invoiceEndpoints = [
  read('/v1/invoices', (tables) => tables.invoices),
  listed('/v1/invoices', (tables) => tables.invoices, {
    customer: optional(text),
    status: optional(oneOf('draft', 'open', 'paid')),
    subscription: optional(text),
  }),
  endpoint('POST', '/v1/invoices/:id/pay', payParams, pay),
  endpoint('POST', '/v1/invoices/:id/void', {}, (act, _input, id) =>
    voidOpen(act, act.tables.invoices.get(id)),
  ),
  endpoint('POST', '/v1/invoices/create_preview', previewParams, preview),
  endpoint('POST', '/v1/invoices/:id', updateParams, update),
];
