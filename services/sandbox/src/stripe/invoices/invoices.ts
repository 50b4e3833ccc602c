import { wholeList } from '../api/list.ts';
import { billedTo } from '../customers/billing-details.ts';
import { type Act, amend } from '../state/act.ts';
import { newId } from '../state/ids.ts';
import { type Customer, type Invoice, nulls, type Subscription } from '../state/objects.ts';
import type { Tables } from '../state/tables.ts';
import type { Period } from '../subscriptions/subscriptions.ts';
import { appliedDiscounts } from './discounts.ts';
import { type Charging, invoiceLines } from './invoice-lines.ts';
import { sumOfTaxes, taxedLines, taxRate } from './tax.ts';

interface InvoiceSpec {
  customer: Customer;
  /** Null for a one-time purchase. */
  subscription: Subscription | null;
  /** Defaults to what the subscription says. */
  isTaxed?: boolean;
  billing_reason: Invoice['billing_reason'];
  charging: readonly Charging[];
  /** The period that ends with the invoice. */
  period: Period;
  /** When the draft finalizes automatically, or null if the caller finalizes it. */
  finalizes_at: number | null;
}

/** Builds a draft without storing it. */
export function buildInvoice(tables: Tables, at: number, id: string, spec: InvoiceSpec): Invoice {
  const { customer, subscription } = spec;
  const { isTaxed = subscription?.automatic_tax.enabled === true } = spec;
  const discounts = subscription === null ? [] : appliedDiscounts(tables, subscription, at);
  const lines = taxedLines(invoiceLines(id, spec.charging, discounts), isTaxed, customer);
  const subtotal = lines.reduce((sum, line) => sum + line.amount, 0);
  const off = discounts.map(({ discount }) => ({
    amount: lines
      .flatMap((line) => line.discount_amounts ?? [])
      .filter((one) => one.discount === discount.id)
      .reduce((sum, { amount }) => sum + amount, 0),
    discount: discount.id,
  }));
  const untaxed = off.reduce((left, { amount }) => left - amount, subtotal);
  const tax = sumOfTaxes(lines);
  const total = untaxed + tax;
  const due = Math.max(0, total);
  return {
    ...nulls('account_tax_ids application custom_fields customer_account default_payment_method'),
    ...nulls('default_source description due_date effective_at ending_balance footer from_invoice'),
    ...nulls('hosted_invoice_url invoice_pdf last_finalization_error latest_revision number'),
    ...nulls('on_behalf_of receipt_number rendering shipping_cost shipping_details'),
    ...nulls('statement_descriptor test_clock webhooks_delivered_at'),
    object: 'invoice',
    account_country: 'US',
    account_name: 'Sandbox',
    amount_overpaid: 0,
    amount_paid: 0,
    amount_shipping: 0,
    attempt_count: 0,
    attempted: false,
    automatic_tax: {
      ...nulls('disabled_reason liability provider'),
      enabled: isTaxed,
      status: !isTaxed
        ? null
        : taxRate(customer.address) === null
          ? 'requires_location_inputs'
          : 'complete',
    },
    collection_method: 'charge_automatically',
    default_tax_rates: [],
    discounts: discounts.map(({ discount }) => discount.id),
    issuer: { type: 'self' },
    livemode: false,
    metadata: {},
    payment_settings: nulls('default_mandate payment_method_options payment_method_types'),
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    status: 'draft',
    status_transitions: nulls('finalized_at marked_uncollectible_at paid_at voided_at'),
    total_discount_amounts: off,
    total_pretax_credit_amounts: [],
    total_taxes:
      tax === 0
        ? []
        : [
            {
              amount: tax,
              tax_behavior: 'exclusive',
              tax_rate_details: { tax_rate: 'txr_sandbox' },
              taxability_reason: 'standard_rated',
              taxable_amount: untaxed,
              type: 'tax_rate_details',
            },
          ],
    id,
    amount_due: due,
    amount_remaining: due,
    auto_advance: true,
    automatically_finalizes_at: spec.finalizes_at,
    billing_reason: spec.billing_reason,
    created: at,
    currency: spec.charging[0]!.item.price.currency,
    customer: customer.id,
    ...billedTo(tables, customer),
    customer_shipping: customer.shipping,
    customer_tax_exempt: customer.tax_exempt ?? 'none',
    lines: wholeList(`/v1/invoices/${id}/lines`, lines),
    next_payment_attempt: spec.finalizes_at,
    parent: subscription && {
      type: 'subscription_details',
      quote_details: null,
      subscription_details: { subscription: subscription.id, metadata: subscription.metadata },
    },
    period_end: spec.period.end,
    period_start: spec.period.start,
    starting_balance: customer.balance,
    subtotal,
    subtotal_excluding_tax: subtotal,
    total,
    total_excluding_tax: untaxed,
  };
}

/** Creates a draft invoice. The caller stores the subscription's `discountsAfter` it. */
export function draftInvoice(act: Act, spec: InvoiceSpec): Invoice {
  const { invoices } = act.tables;
  const invoice = buildInvoice(act.tables, act.at, newId('in'), spec);
  invoices.save(invoice, { retry_at: null, retries_done: 0, declined_payment_method: null });
  act.emit('invoice.created', invoice);
  return invoice;
}

/** Changes an invoice. As at Stripe, one created before this instant also emits `invoice.updated`. */
export function amendInvoice(act: Act, invoice: Invoice, change: Partial<Invoice>): Invoice {
  const event = invoice.created < act.at ? 'invoice.updated' : null;
  return amend(act, act.tables.invoices, invoice, change, event);
}

/** Stops all further attempts to collect an invoice. */
export function stopCollection(act: Act, invoice: Invoice): Invoice {
  planRetry(act, invoice, null);
  return amendInvoice(act, invoice, {
    auto_advance: false,
    automatically_finalizes_at: null,
    next_payment_attempt: null,
  });
}

/** Plans the next payment attempt, or none. */
export function planRetry(act: Act, invoice: Invoice, retry_at: number | null): void {
  const hidden = act.tables.invoices.hidden(invoice.id);
  act.tables.invoices.save(invoice, { ...hidden, retry_at });
}
