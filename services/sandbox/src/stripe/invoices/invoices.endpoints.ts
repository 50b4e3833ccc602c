import { endpoint } from '../api/endpoint.ts';
import { page } from '../api/list.ts';
import { demand, refer } from '../api/lookup.ts';
import {
  boolean,
  hash,
  integer,
  integerBetween,
  list,
  listParams,
  metadata,
  oneOf,
  patchMetadata,
  required,
  text,
  timeRange,
  type Values,
  wordOr,
} from '../api/params.ts';
import { invalidRequest, refused } from '../api/stripe-error.ts';
import { referPrice } from '../catalogue/prices.ts';
import type { Act } from '../state/act.ts';
import type { Invoice, InvoiceLine, InvoicePayment, Subscription } from '../state/objects.ts';
import { collectInvoice, collectionError } from '../subscriptions/collection.ts';
import { prorationBehavior } from '../subscriptions/subscriptions.params.ts';
import { finalizeInvoice, markUncollectible, voidInvoice } from './finalize-invoice.ts';
import { amendInvoice } from './invoices.ts';
import { previewInvoice } from './preview-invoice.ts';

const payParams = { payment_method: text, off_session: boolean };
const previewParams = {
  customer: text,
  subscription: text,
  subscription_details: hash({
    billing_cycle_anchor: oneOf('now', 'unchanged'),
    cancel_at_period_end: boolean,
    items: list(
      hash({
        id: text,
        price: text,
        quantity: integerBetween(1, 1000),
        deleted: boolean,
        metadata,
      }),
    ),
    proration_behavior: prorationBehavior,
    proration_date: integer,
    trial_end: wordOr('now', integer),
  }),
};
const filterParams = {
  ...listParams,
  collection_method: oneOf('charge_automatically', 'send_invoice'),
  created: timeRange,
  customer: text,
  status: oneOf('draft', 'open', 'paid', 'uncollectible', 'void'),
  subscription: text,
};

function pay(act: Act, invoice: Invoice, input: Values<typeof payParams>): Invoice {
  const open = invoice.status === 'draft' ? finalizeInvoice(act, invoice) : invoice;
  if (invoice.status === 'draft' && open.status === 'paid') return open;
  const method = input.payment_method
    ? refer(act.tables.paymentMethods, input.payment_method, 'payment_method')
    : undefined;
  if (method && method.customer !== invoice.customer) {
    throw refused('The payment method is not attached to the customer of this invoice.', {
      param: 'payment_method',
    });
  }
  const collection = collectInvoice(act, open, { method, planned: false });
  if (collection.invoice.status !== 'paid') throw collectionError(collection);
  return collection.invoice;
}

function preview(act: Act, input: Values<typeof previewParams>): Invoice {
  const subscription = subscriptionToPreview(act, input);
  const details = input.subscription_details;
  if (!details) return previewInvoice(act, subscription, null);
  return previewInvoice(act, subscription, {
    cancel_at_period_end: details.cancel_at_period_end ?? null,
    plan: {
      items: (details.items ?? []).map(({ price, metadata: patch, ...rest }, index) => ({
        ...rest,
        ...(price
          ? {
              price: referPrice(act, price, `subscription_details[items][${index}][price]`),
            }
          : {}),
        metadata: patchMetadata({}, patch),
      })),
      proration: details.proration_behavior ?? 'create_prorations',
      trial_end: details.trial_end ?? null,
      reset_anchor: details.billing_cycle_anchor === 'now',
      prorated_from: details.proration_date ?? null,
    },
  });
}

function subscriptionToPreview(act: Act, input: Values<typeof previewParams>): Subscription {
  const { subscriptions } = act.tables;
  if (input.subscription) return refer(subscriptions, input.subscription, 'subscription');
  if (!input.customer) {
    throw invalidRequest('You must provide `subscription` or `customer`.', {
      code: 'parameter_missing',
      param: 'customer',
    });
  }
  refer(act.tables.customers, input.customer, 'customer');
  const running = subscriptions
    .by('customer', input.customer)
    .find((each) => ['trialing', 'active', 'past_due'].includes(each.status));
  if (running) return running;
  throw refused(`No upcoming invoices for customer: ${input.customer}`, {
    code: 'invoice_upcoming_none',
  });
}

/** Lines are held in the invoice itself, so their list is cut from it. */
function linesOf(
  invoice: Invoice,
  input: { limit?: number; starting_after?: string },
): Invoice['lines'] {
  const from = input.starting_after
    ? invoice.lines.data.findIndex((line: InvoiceLine) => line.id === input.starting_after) + 1
    : 0;
  const data = invoice.lines.data.slice(from, from + (input.limit ?? 10));
  return { ...invoice.lines, data, has_more: from + data.length < invoice.lines.data.length };
}

function remove(act: Act, invoice: Invoice): object {
  if (invoice.status !== 'draft' || invoice.parent?.subscription_details) {
    throw refused('You can only delete draft invoices that are not attached to a subscription.');
  }
  act.tables.invoices.remove(invoice.id);
  return { id: invoice.id, object: 'invoice', deleted: true };
}

const invoiceCalls = [
  endpoint('GET', '/v1/invoices/:id', {}, ({ tables }, _input, { id }) =>
    demand(tables.invoices, id),
  ),
  endpoint('GET', '/v1/invoices/:id/lines', listParams, ({ tables }, input, { id }) =>
    linesOf(demand(tables.invoices, id), input),
  ),
  endpoint(
    'POST',
    '/v1/invoices/:id',
    { auto_advance: boolean, description: text, metadata },
    (act, input, { id }) => {
      const invoice = demand(act.tables.invoices, id);
      const { metadata: patch, ...fields } = input;
      return amendInvoice(act, invoice, {
        ...fields,
        metadata: patchMetadata(invoice.metadata ?? {}, patch),
      });
    },
  ),
  endpoint('POST', '/v1/invoices/:id/finalize', { auto_advance: boolean }, (act, _input, { id }) =>
    finalizeInvoice(act, demand(act.tables.invoices, id)),
  ),
  endpoint('POST', '/v1/invoices/:id/pay', payParams, (act, input, { id }) =>
    pay(act, demand(act.tables.invoices, id), input),
  ),
  endpoint('POST', '/v1/invoices/:id/void', {}, (act, _input, { id }) =>
    voidInvoice(act, demand(act.tables.invoices, id)),
  ),
  endpoint('POST', '/v1/invoices/:id/mark_uncollectible', {}, (act, _input, { id }) =>
    markUncollectible(act, demand(act.tables.invoices, id)),
  ),
  endpoint('DELETE', '/v1/invoices/:id', {}, (act, _input, { id }) =>
    remove(act, demand(act.tables.invoices, id)),
  ),
  endpoint('POST', '/v1/invoices/create_preview', previewParams, preview),
  endpoint('GET', '/v1/invoices', filterParams, ({ tables: { invoices } }, input) => {
    const ids = input.subscription
      ? invoices.idsBy('subscription', input.subscription)
      : input.customer
        ? invoices.idsBy('customer', input.customer)
        : invoices.ids();
    return page(
      invoices,
      ids,
      input,
      '/v1/invoices',
      (invoice) =>
        (input.status === undefined || invoice.status === input.status) &&
        (input.customer === undefined || invoice.customer === input.customer),
    );
  }),
];

const paymentCalls = [
  endpoint('GET', '/v1/invoice_payments/:id', {}, ({ tables }, _input, { id }) =>
    demand(tables.invoicePayments, id),
  ),
  endpoint(
    'GET',
    '/v1/invoice_payments',
    {
      ...listParams,
      created: timeRange,
      invoice: text,
      payment: hash({ type: required(oneOf('payment_intent')), payment_intent: text }),
      status: oneOf('canceled', 'open', 'paid'),
    },
    ({ tables: { invoicePayments } }, input) => {
      const intent = input.payment?.payment_intent;
      const ids = input.invoice
        ? invoicePayments.idsBy('invoice', input.invoice)
        : intent
          ? invoicePayments.idsBy('payment_intent', intent)
          : invoicePayments.ids();
      const accepts = (payment: InvoicePayment) =>
        (input.status === undefined || payment.status === input.status) &&
        (intent === undefined || payment.payment.payment_intent === intent);
      return page(invoicePayments, ids, input, '/v1/invoice_payments', accepts);
    },
  ),
  endpoint(
    'GET',
    '/v1/invoiceitems',
    { ...listParams, created: timeRange, customer: text, invoice: text, pending: boolean },
    ({ tables: { invoiceItems } }, input) => {
      const ids = input.customer
        ? invoiceItems.idsBy('customer', input.customer)
        : invoiceItems.ids();
      return page(
        invoiceItems,
        ids,
        input,
        '/v1/invoiceitems',
        (item) =>
          (input.invoice === undefined || item.invoice === input.invoice) &&
          (input.pending === undefined || (item.invoice === null) === input.pending),
      );
    },
  ),
];

export const invoiceEndpoints = [...invoiceCalls, ...paymentCalls];
