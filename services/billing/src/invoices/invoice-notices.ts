import type { Trx } from '../database.ts';
import type { BillingDeps } from '../deps.ts';
import { sendNotice } from '../notices/send-notice.ts';
import { money, receipt } from '../notices/words.ts';
import type { Card } from '../subscriptions/provider-subscription.ts';
import type { Invoice } from './invoices.repository.ts';
import type { Bought } from './provider-invoice.ts';

/** Emails a receipt for a charge; the $0 invoice of a trial gets none. */
export async function noticeOfInvoice(
  trx: Trx,
  deps: Pick<BillingDeps, 'clock' | 'product'>,
  invoice: Invoice,
  { plan, period, pdf_url: pdfUrl, card }: Bought & { card: Card | null },
): Promise<void> {
  if (invoice.user_id === null) return;
  if (invoice.status === 'paid' && invoice.amount_paid_cents > 0)
    await sendNotice(trx, deps, invoice.user_id, `receipt:${invoice.id}`, (to) =>
      receipt(to, {
        at: invoice.paid_at ?? invoice.created_at,
        amount: money(invoice.amount_paid_cents, invoice.currency),
        number: invoice.id,
        discount: invoice.discount_cents ? money(invoice.discount_cents, invoice.currency) : null,
        tax: invoice.tax_cents ? money(invoice.tax_cents, invoice.currency) : null,
        credit: invoice.credit_cents ? money(invoice.credit_cents, invoice.currency) : null,
        ...{ plan, period, pdfUrl, card },
      }),
    );
}
