import type { UserInvoice } from '@daylift/contracts/billing.http';
import type { Db } from '../database.ts';
import type { BillingDeps } from '../deps.ts';
import { InvoiceUnavailable, UnknownInvoice } from '../errors.ts';
import { findNonzeroInvoices, hasInvoice, type RefundedInvoice } from './invoices.repository.ts';

const statuses: Record<string, UserInvoice['status']> = {
  paid: 'paid',
  open: 'open',
  uncollectible: 'open',
  void: 'void',
};

/** Returns a user's invoices, newest first, without drafts and the $0 invoice of a trial. */
export async function listUserInvoices(
  db: Db,
  userId: string,
  page: { limit: number; before?: string | undefined },
): Promise<UserInvoice[]> {
  const rows = await findNonzeroInvoices(db, userId, { statuses: Object.keys(statuses), ...page });
  return rows.map(translate);
}

/** Returns a fresh URL of the PDF, because the provider's URLs expire. */
export async function findInvoicePdf(
  { db, stripe, log }: Pick<BillingDeps, 'db' | 'stripe' | 'log'>,
  userId: string,
  id: string,
): Promise<string> {
  if (!(await hasInvoice(db, userId, id))) throw new UnknownInvoice();
  const { invoice_pdf } = await stripe.invoices.retrieve(id).catch((error: unknown) => {
    log.error({ err: error }, 'invoice lookup failed');
    throw new InvoiceUnavailable();
  });
  if (!invoice_pdf) throw new UnknownInvoice();
  return invoice_pdf;
}

function translate(row: RefundedInvoice): UserInvoice {
  const isRefunded = row.amount_paid_cents > 0 && row.refunded_cents >= row.amount_paid_cents;
  return {
    id: row.id,
    issued_at: row.created_at.toISOString(),
    amount_cents: amountOf(row),
    refunded_cents: row.refunded_cents,
    credit_cents: row.credit_cents ?? 0,
    ...(row.discount_cents > 0 && { discount_cents: row.discount_cents }),
    ...(row.tax_cents !== 0 && { tax_cents: row.tax_cents }),
    currency: row.currency,
    ...(row.billed_to !== null && { billed_to: row.billed_to }),
    ...(row.dispute !== null && { dispute: row.dispute }),
    status: isRefunded ? 'refunded' : (statuses[row.status] ?? 'open'),
  };
}

/** Returns the amount paid or due; negative for an invoice that only gives credit. */
function amountOf({
  status,
  total_cents,
  amount_paid_cents,
  paid_elsewhere_cents,
  amount_due_cents,
}: RefundedInvoice): number {
  if (total_cents !== null && total_cents < 0) return total_cents;
  return status === 'paid' ? amount_paid_cents + paid_elsewhere_cents : amount_due_cents;
}
