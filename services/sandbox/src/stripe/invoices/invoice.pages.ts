import type { FastifyInstance } from 'fastify';
import type { Stripe } from '../open-stripe.ts';
import { html } from '../pages/html.ts';
import { date, money, sendNote, sendPage } from '../pages/page.ts';
import type { Invoice } from '../state/objects.ts';
import { minimalPdf } from './minimal-pdf.ts';

const linesOf = (invoice: Invoice): [string, string][] => [
  ['Invoice', invoice.number ?? invoice.id ?? ''],
  ['Date', date(invoice.created)],
  ['To', invoice.customer_email ?? ''],
  ...invoice.lines.data.map((line): [string, string] => [
    line.description ?? '',
    money(line.amount),
  ]),
  ['Amount due', money(invoice.amount_due)],
  ['Amount paid', money(invoice.amount_paid)],
];

/** The hosted invoice and its PDF. As with Stripe, anyone with the URL can open them. */
export function registerInvoicePages(app: FastifyInstance, stripe: Stripe): void {
  const find = async (id: string) => {
    await stripe.begin(null);
    const invoice = stripe.tables.invoices.find(id);
    return invoice === undefined || invoice.status === 'draft' ? undefined : invoice;
  };
  app.get<{ Params: { id: string } }>('/i/:id', async ({ params }, reply) => {
    const invoice = await find(params.id);
    if (!invoice)
      return sendNote(reply, 404, 'Nothing here', 'There is no invoice at this address.');
    const rows = linesOf(invoice).map(
      ([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`,
    );
    return sendPage(
      reply,
      200,
      'Invoice',
      html`<section class="card"><h1>${invoice.number}</h1><dl>${rows}</dl><p><a class="button" href="${invoice.invoice_pdf}">Download PDF</a></p></section>`,
    );
  });
  app.get<{ Params: { id: string } }>('/i/:id/pdf', async ({ params }, reply) => {
    const invoice = await find(params.id);
    if (!invoice)
      return sendNote(reply, 404, 'Nothing here', 'There is no invoice at this address.');
    return reply
      .type('application/pdf')
      .header('content-disposition', `attachment; filename="Invoice-${invoice.number}.pdf"`)
      .send(minimalPdf(linesOf(invoice).map((line) => line.join(': '))));
  });
}
