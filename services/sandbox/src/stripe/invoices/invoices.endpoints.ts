import { endpoint, listed, read } from '../api/endpoint.ts';
import { boolean, type Input, oneOf, optional, text } from '../api/params.ts';
import { refused } from '../api/stripe-error.ts';
import type { Act } from '../state/act.ts';
import { newId } from '../state/ids.ts';
import type { Invoice, Subscription } from '../state/objects.ts';
import {
  collectInvoice,
  collectionError,
  payElsewhere,
  voidOpen,
} from '../subscriptions/collection.ts';
import { planChange } from '../subscriptions/plan-change.ts';
import { planParams, readPlanChange } from '../subscriptions/subscriptions.endpoints.ts';
import { currentPeriod } from '../subscriptions/subscriptions.ts';
import { applyBalance } from './balance-application.ts';
import { buildInvoice, stopCollection } from './invoices.ts';

const previewParams = {
  // Empty: without the subscription's discounts.
  discounts: optional(oneOf('')),
  subscription: text,
  subscription_details: planParams,
};

/** Returns the invoice that a change of the subscription would create now. Nothing is stored. */
function preview(act: Act, input: Input<typeof previewParams>): Invoice {
  const { tables } = act;
  const subscription = tables.subscriptions.refer(input.subscription, 'subscription');
  const change = readPlanChange(act, subscription, input.subscription_details);
  const { fields, charging } = planChange(tables, act.at, subscription, change);
  if (!charging) {
    throw refused('This change is charged with a later invoice.', {
      code: 'invoice_upcoming_none',
    });
  }
  const customer = tables.customers.find(subscription.customer)!;
  const invoice = buildInvoice(tables, act.at, newId('upcoming_in'), {
    customer,
    subscription: {
      ...{ ...subscription, ...fields },
      ...(input.discounts === '' && { discounts: [] }),
    } as Subscription,
    billing_reason: 'upcoming',
    charging,
    period: { start: currentPeriod(subscription).start, end: act.at },
    finalizes_at: null,
  });
  const { bookings: _, ...applied } = applyBalance(invoice.total, customer.balance);
  return { ...invoice, ...applied, amount_remaining: applied.amount_due };
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
