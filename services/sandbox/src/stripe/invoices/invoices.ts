import { newId } from '../api/ids.ts';
import { wholeList } from '../api/list.ts';
import { type Act, amend } from '../state/act.ts';
import type { Customer, Invoice, InvoiceItem, Subscription } from '../state/objects.ts';
import type { Tables } from '../state/tables.ts';
import { type Charging, invoiceLines, type Period } from './invoice-lines.ts';

export interface InvoiceSpec {
  customer: Customer;
  subscription: Subscription;
  billing_reason: Invoice['billing_reason'];
  charging: readonly Charging[];
  /** The period that lies behind the invoice. */
  period: Period;
  /** When the draft is finalized by itself; null where the caller does it. */
  finalizes_at: number | null;
}

/** Builds a draft; it is nobody's yet. */
export function buildInvoice(at: number, id: string, spec: InvoiceSpec): Invoice {
  const { customer, subscription } = spec;
  const lines = invoiceLines(id, spec.charging);
  const total = lines.reduce((sum, line) => sum + line.amount, 0);
  const due = Math.max(0, total);
  return {
    ...constantFields(),
    id,
    amount_due: due,
    amount_remaining: due,
    auto_advance: true,
    automatically_finalizes_at: spec.finalizes_at,
    billing_reason: spec.billing_reason,
    created: at,
    currency: subscription.currency,
    customer: customer.id,
    customer_address: customer.address ?? null,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_phone: customer.phone ?? null,
    customer_shipping: customer.shipping,
    customer_tax_exempt: customer.tax_exempt ?? 'none',
    lines: wholeList(`/v1/invoices/${id}/lines`, lines),
    next_payment_attempt: spec.finalizes_at,
    parent: {
      type: 'subscription_details',
      quote_details: null,
      subscription_details: { subscription: subscription.id, metadata: subscription.metadata },
    },
    period_end: spec.period.end,
    period_start: spec.period.start,
    starting_balance: customer.balance,
    subtotal: total,
    subtotal_excluding_tax: total,
    total,
    total_excluding_tax: total,
  };
}

function constantFields() {
  return {
    object: 'invoice' as const,
    account_country: 'US',
    account_name: 'Sandbox',
    account_tax_ids: null,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    automatic_tax: {
      disabled_reason: null,
      enabled: false,
      liability: null,
      provider: null,
      status: null,
    },
    collection_method: 'charge_automatically' as const,
    custom_fields: null,
    customer_account: null,
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    due_date: null,
    effective_at: null,
    ending_balance: null,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    issuer: { type: 'self' as const },
    last_finalization_error: null,
    latest_revision: null,
    livemode: false,
    metadata: {},
    number: null,
    on_behalf_of: null,
    payment_settings: {
      default_mandate: null,
      payment_method_options: null,
      payment_method_types: null,
    },
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    statement_descriptor: null,
    status: 'draft' as const,
    status_transitions: {
      finalized_at: null,
      marked_uncollectible_at: null,
      paid_at: null,
      voided_at: null,
    },
    test_clock: null,
    total_discount_amounts: [],
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: null,
  };
}

/** Makes a draft invoice, and takes in what waited for the customer's next one. */
export function draftInvoice(act: Act, spec: InvoiceSpec): Invoice {
  const { tables } = act;
  const waiting = waitingItems(tables, spec.subscription);
  const charging = [...waiting.map(chargingOf), ...spec.charging];
  const invoice = buildInvoice(act.at, newId('in'), { ...spec, charging });
  tables.invoices.save(invoice, { retry_at: null, retries_done: 0, hopeless_payment_method: null });
  for (const item of waiting) tables.invoiceItems.save({ ...item, invoice: invoice.id }, null);
  act.emit('invoice.created', invoice);
  return invoice;
}

/** Lines of a subscription that wait for its next invoice. */
export function waitingItems(tables: Tables, subscription: Subscription): InvoiceItem[] {
  return tables.invoiceItems
    .by('pending', subscription.customer)
    .filter((item) => item.parent?.subscription_details?.subscription === subscription.id);
}

/** A waiting line as something that an invoice asks for. */
export function chargingOf(item: InvoiceItem): Charging {
  const details = item.parent!.subscription_details!;
  return {
    item: {
      id: details.subscription_item ?? '',
      subscription: details.subscription,
      price: {
        id: item.pricing!.price_details!.price,
        product: item.pricing!.price_details!.product,
        currency: item.currency,
        unit_amount_decimal: item.pricing!.unit_amount_decimal,
      } as Charging['item']['price'],
      quantity: item.quantity,
    },
    period: item.period,
    amount: item.amount,
    description: item.description ?? '',
    proration: item.proration,
    invoice_item: item.id,
  };
}

/** Changes an invoice. One that stood before this instant is reported as updated too, as Stripe does. */
export function amendInvoice(act: Act, invoice: Invoice, change: Partial<Invoice>): Invoice {
  const event = invoice.created < act.at ? 'invoice.updated' : null;
  return amend(act, act.tables.invoices, invoice, change, event);
}

/** Ends all further tries to collect an invoice. */
export function stopCollection(act: Act, invoice: Invoice): Invoice {
  const hidden = act.tables.invoices.hidden(invoice.id);
  act.tables.invoices.save(invoice, { ...hidden, retry_at: null });
  return amendInvoice(act, invoice, {
    auto_advance: false,
    automatically_finalizes_at: null,
    next_payment_attempt: null,
  });
}
