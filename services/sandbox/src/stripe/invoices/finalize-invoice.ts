import { changeBalance } from '../customers/balance.ts';
import { billedTo } from '../customers/billing-details.ts';
import { createIntent } from '../payments/payment-intents.ts';
import type { Act } from '../state/act.ts';
import { newId } from '../state/ids.ts';
import type { Invoice, InvoicePayment } from '../state/objects.ts';
import { applyBalance } from './balance-application.ts';
import { amendInvoice, planRetry, stopCollection } from './invoices.ts';

/** Voids an invoice, so it is never collected. */
export function voidInvoice(act: Act, invoice: Invoice): Invoice {
  const stopped = stopCollection(act, invoice);
  const voided = amendInvoice(act, stopped, {
    status: 'void',
    status_transitions: { ...invoice.status_transitions, voided_at: act.at },
  });
  act.emit('invoice.voided', voided);
  unapplyBalance(act, voided);
  return voided;
}

/** As at Stripe, the customer gets back the credit that a voided invoice had used. */
function unapplyBalance(act: Act, invoice: Invoice): void {
  const { id, currency, starting_balance, ending_balance } = invoice;
  const amount = starting_balance - (ending_balance ?? starting_balance);
  const change = { amount, currency, invoice: id, type: 'unapplied_from_invoice' } as const;
  if (amount !== 0) changeBalance(act, { customer: invoice.customer!, ...change });
}

/** Finalizes a draft: numbers it, applies the balance and creates the payment. With nothing due it is paid. */
export function finalizeInvoice(act: Act, draft: Invoice): Invoice {
  const { tables } = act;
  const customer = tables.customers.find(draft.customer!)!;
  const sequence = customer.next_invoice_sequence ?? 1;
  tables.customers.save({ ...customer, next_invoice_sequence: sequence + 1 });
  const { bookings, ...balance } = applyBalance(draft.total, customer.balance, draft.currency);
  for (const booking of bookings) {
    changeBalance(act, {
      ...booking,
      customer: customer.id,
      currency: draft.currency,
      invoice: draft.id,
      description: booking.type === 'invoice_too_small' ? 'Amount too small to charge' : undefined,
    });
  }
  const open = amendInvoice(act, draft, {
    ...balance,
    ...billedTo(tables, customer),
    amount_remaining: balance.amount_due,
    automatically_finalizes_at: null,
    effective_at: act.at,
    hosted_invoice_url: `${act.settings.origin()}/i/${draft.id}`,
    invoice_pdf: `${act.settings.origin()}/i/${draft.id}/pdf`,
    number: `${customer.invoice_prefix}-${String(sequence).padStart(4, '0')}`,
    status: 'open',
    status_transitions: { ...draft.status_transitions, finalized_at: act.at },
  });
  if (open.amount_due > 0) createPayment(act, open);
  act.emit('invoice.finalized', open);
  return open.amount_due > 0 ? open : markPaid(act, open, 0, 0);
}

const descriptions: Record<string, string> = {
  subscription_create: 'Subscription creation',
  manual: 'Payment for invoice',
};

function createPayment(act: Act, invoice: Invoice): void {
  const intent = createIntent(act, {
    amount: invoice.amount_due,
    currency: invoice.currency,
    customer: invoice.customer!,
    description: descriptions[invoice.billing_reason ?? ''] ?? 'Subscription update',
    receipt_email: invoice.customer_email,
  });
  const payment: InvoicePayment = {
    id: newId('inpay'),
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: invoice.amount_due,
    created: act.at,
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { type: 'payment_intent', payment_intent: intent.id },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  };
  act.tables.invoicePayments.save(payment);
}

/** Returns the payment of an invoice with an amount due. */
export function defaultPayment(act: Act, invoice: Invoice): InvoicePayment | undefined {
  return act.tables.invoicePayments.by('invoice', invoice.id).find((each) => each.is_default);
}

/** Replaces the payment by card with a record of one made elsewhere. */
export function cancelPayment(act: Act, invoice: Invoice): void {
  const payment = defaultPayment(act, invoice);
  if (!payment) return;
  act.tables.invoicePayments.save({
    ...payment,
    is_default: false,
    status: 'canceled',
    status_transitions: { ...payment.status_transitions, canceled_at: act.at },
  });
  act.tables.invoicePayments.save({
    ...payment,
    id: newId('inpay'),
    created: act.at,
    payment: { type: 'payment_record', payment_record: newId('pr') },
  });
}

export function markPaid(
  act: Act,
  invoice: Invoice,
  amount: number,
  attempt_count: number,
): Invoice {
  planRetry(act, invoice, null);
  const paid = amendInvoice(act, invoice, {
    amount_paid: amount,
    amount_remaining: 0,
    attempt_count,
    attempted: true,
    auto_advance: false,
    next_payment_attempt: null,
    status: 'paid',
    status_transitions: { ...invoice.status_transitions, paid_at: act.at },
  });
  const payment = amount > 0 ? defaultPayment(act, invoice) : undefined;
  if (payment) {
    const done = {
      ...payment,
      amount_paid: amount,
      status: 'paid',
      status_transitions: { ...payment.status_transitions, paid_at: act.at },
    };
    act.emit('invoice_payment.paid', act.tables.invoicePayments.save(done));
  }
  act.emit('invoice.paid', paid);
  act.emit('invoice.payment_succeeded', paid);
  return paid;
}
