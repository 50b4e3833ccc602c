import { endpoint, reads } from '../api/endpoint.ts';
import {
  boolean,
  hash,
  type Input,
  integer,
  list,
  listParams,
  oneOf,
  optional,
  text,
  wordOr,
} from '../api/params.ts';
import { invalidRequest, refused } from '../api/stripe-error.ts';
import type { Act } from '../state/act.ts';
import type { Invoice, InvoicePayment, Subscription } from '../state/objects.ts';
import { collectInvoice, collectionError } from '../subscriptions/collection.ts';
import { itemChange, itemChanges, prorationBehavior } from '../subscriptions/params.ts';
import { finalizeInvoice, markUncollectible, voidInvoice } from './finalize-invoice.ts';
import { previewInvoice } from './preview-invoice.ts';

const payParams = { payment_method: optional(text), off_session: optional(boolean) };
const previewParams = {
  customer: optional(text),
  subscription: optional(text),
  subscription_details: optional(
    hash({
      cancel_at_period_end: optional(boolean),
      items: optional(list(itemChange)),
      proration_behavior: optional(prorationBehavior),
      proration_date: optional(integer),
      trial_end: optional(wordOr('now', integer)),
    }),
  ),
};
const filterParams = {
  customer: optional(text),
  status: optional(oneOf('draft', 'open', 'paid', 'uncollectible', 'void')),
  subscription: optional(text),
};

function pay(act: Act, input: Input<typeof payParams>, id: string): Invoice {
  const invoice = act.tables.invoices.get(id);
  const open = invoice.status === 'draft' ? finalizeInvoice(act, invoice) : invoice;
  if (invoice.status === 'draft' && open.status === 'paid') return open;
  const method = input.payment_method
    ? act.tables.paymentMethods.refer(input.payment_method, 'payment_method')
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

function preview(act: Act, input: Input<typeof previewParams>): Invoice {
  const subscription = subscriptionToPreview(act, input);
  const details = input.subscription_details;
  if (!details) return previewInvoice(act, subscription, null);
  return previewInvoice(act, subscription, {
    cancel_at_period_end: details.cancel_at_period_end,
    plan: {
      items: itemChanges(act, details.items, 'subscription_details[items]'),
      proration: details.proration_behavior ?? 'create_prorations',
      trial_end: details.trial_end ?? null,
      reset_anchor: false,
      prorated_from: details.proration_date ?? null,
    },
  });
}

function subscriptionToPreview(act: Act, input: Input<typeof previewParams>): Subscription {
  const { subscriptions, customers } = act.tables;
  if (input.subscription) return subscriptions.refer(input.subscription, 'subscription');
  if (!input.customer) {
    throw invalidRequest('You must provide `subscription` or `customer`.', {
      code: 'parameter_missing',
      param: 'customer',
    });
  }
  const { id } = customers.refer(input.customer, 'customer');
  const running = subscriptions
    .by('customer', id)
    .find((each) => ['trialing', 'active', 'past_due'].includes(each.status));
  if (running) return running;
  throw refused(`No upcoming invoices for customer: ${id}`, { code: 'invoice_upcoming_none' });
}

export const invoiceEndpoints = [
  ...reads('/v1/invoices', (tables) => tables.invoices, filterParams),
  endpoint(
    'GET',
    '/v1/invoices/:id/lines',
    listParams,
    ({ tables }, _input, id) => tables.invoices.get(id).lines,
  ),
  endpoint(
    'POST',
    '/v1/invoices/:id/finalize',
    { auto_advance: optional(boolean) },
    (act, _input, id) => finalizeInvoice(act, act.tables.invoices.get(id)),
  ),
  endpoint('POST', '/v1/invoices/:id/pay', payParams, pay),
  endpoint('POST', '/v1/invoices/:id/void', {}, (act, _input, id) =>
    voidInvoice(act, act.tables.invoices.get(id)),
  ),
  endpoint('POST', '/v1/invoices/:id/mark_uncollectible', {}, (act, _input, id) =>
    markUncollectible(act, act.tables.invoices.get(id)),
  ),
  endpoint('POST', '/v1/invoices/create_preview', previewParams, preview),
  ...reads(
    '/v1/invoice_payments',
    (tables) => tables.invoicePayments,
    {
      invoice: optional(text),
      payment: optional(hash({ type: oneOf('payment_intent'), payment_intent: optional(text) })),
      status: optional(oneOf('canceled', 'open', 'paid')),
    },
    () => ({
      filters: {
        payment: (payment: InvoicePayment, wanted: { payment_intent?: string }) =>
          wanted.payment_intent === undefined ||
          payment.payment.payment_intent === wanted.payment_intent,
      },
    }),
  ),
];
