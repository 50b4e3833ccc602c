import { dayMs } from '@daylift/clock/durations';
import { defaultPlan, type PlanId, planIds, planTerms } from '@daylift/contracts/plans';
import type Stripe from 'stripe';
import { isAccountName } from '../customers/customers.actions.ts';
import type { Customer } from '../customers/customers.repository.ts';
import { idOf, instantOf } from '../stripe-client.ts';
import { taxOf } from '../subscriptions/provider-subscription.ts';
import { usedCredit } from '../subscriptions/settle-bill.ts';
import type { Invoice } from './invoices.repository.ts';

/** An invoice at Stripe, reduced to what we use. */
export interface ProviderInvoice extends Omit<Invoice, 'user_id' | 'read_ticket' | 'billed_to'> {
  stripe_customer_id: string;
  billed: Billed;
  /** For the receipt; not stored. */
  bought: Bought;
}

/** The name on an invoice, and the address and tax IDs that the customer added. */
interface Billed {
  name: string | null;
  details: string[];
}

export interface Bought {
  plan: PlanId;
  period: { start: Date; end: Date } | null;
  pdf_url: string | null;
}

export function readInvoice(invoice: Stripe.Invoice): ProviderInvoice {
  const payment = invoice.payments?.data.find((one) => one.status === 'paid');
  const paidElsewhereCents = paidElsewhere(invoice);
  const paidAt = invoice.status_transitions.paid_at;
  return {
    id: invoice.id,
    stripe_customer_id: idOf(invoice.customer) ?? '',
    stripe_subscription_id: idOf(invoice.parent?.subscription_details?.subscription),
    status: invoice.status ?? 'draft',
    currency: invoice.currency,
    total_cents: invoice.total,
    credit_cents: usedCredit(invoice),
    discount_cents: (invoice.total_discount_amounts ?? []).reduce(
      (sum, { amount }) => sum + amount,
      0,
    ),
    tax_cents: taxOf(invoice),
    amount_due_cents: invoice.amount_due,
    amount_paid_cents: invoice.amount_paid - paidElsewhereCents,
    paid_elsewhere_cents: paidElsewhereCents,
    attempt_count: invoice.attempt_count,
    created_at: instantOf(invoice.created),
    paid_at: paidAt === null ? null : instantOf(paidAt),
    payment_intent_id: idOf(payment?.payment.payment_intent),
    first_failed_at: firstFailure(invoice),
    billed: readBilled(invoice),
    bought: readBought(invoice),
  };
}

/** Manual payments don't count as attempts, so a paid invoice may have failed once without showing it. */
function firstFailure({ status, attempt_count, status_transitions, created }: Stripe.Invoice) {
  const isFailed = attempt_count > 1 || (attempt_count > 0 && status !== 'paid');
  // An invoice is first charged when it is finalized.
  return isFailed ? instantOf(status_transitions.finalized_at ?? created) : null;
}

function paidElsewhere({ payments }: Stripe.Invoice): number {
  return (payments?.data ?? [])
    .filter(({ status, payment }) => status === 'paid' && payment.type === 'payment_record')
    .reduce((sum, { amount_paid }) => sum + (amount_paid ?? 0), 0);
}

function readBilled({
  customer_name: name,
  customer_address: address,
  customer_tax_ids: taxIds,
}: Stripe.Invoice): Billed {
  const { line1, line2, postal_code, city, state, country } = address ?? {};
  const details = [line1, line2, city, state, postal_code, country].concat(
    (taxIds ?? []).map(({ value }) => value && `Tax ID ${value}`),
  );
  return {
    name,
    details: details.filter((one) => typeof one === 'string' && one !== '') as string[],
  };
}

/** Returns the business details on an invoice, or null if it names only the account. */
export function billedTo(
  { name, details }: Billed,
  account: Pick<Customer, 'name' | 'past_names'>,
): string | null {
  const shown = name ?? account.name;
  if (details.length === 0 && isAccountName(account, shown)) return null;
  return [shown, ...details].join(', ');
}

/** A plan change has two lines; the credit for the old plan is negative. */
function readBought(invoice: Stripe.Invoice): Bought {
  const [line] = invoice.lines.data.toSorted((one, other) => other.amount - one.amount);
  const period = line && { start: instantOf(line.period.start), end: instantOf(line.period.end) };
  const months = period ? (period.end.getTime() - period.start.getTime()) / (30 * dayMs) : 1;
  const distance = (plan: PlanId) => Math.abs(planTerms[plan].months - months);
  return {
    plan: planIds.toSorted((one, other) => distance(one) - distance(other))[0] ?? defaultPlan,
    period: period ?? null,
    pdf_url: invoice.invoice_pdf ?? invoice.hosted_invoice_url ?? null,
  };
}
