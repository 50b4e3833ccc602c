import type { FastifyInstance } from 'fastify';
import { addressLines } from '../customers/billing-details.ts';
import type { Stripe } from '../open-stripe.ts';
import { html } from '../pages/html.ts';
import { acceptForms, date, money, sendNote, sendPage } from '../pages/page.ts';
import type { Act } from '../state/act.ts';
import type { Invoice } from '../state/objects.ts';
import { collectInvoice } from '../subscriptions/collection.ts';
import { defaultPayment } from './finalize-invoice.ts';
import { minimalPdf } from './minimal-pdf.ts';

const linesOf = (invoice: Invoice): [string, string][] => [
  ['Invoice', invoice.number ?? invoice.id ?? ''],
  ['Date', date(invoice.created)],
  ['To', invoice.customer_name ?? ''],
  ...addressLines(invoice.customer_address).map((line): [string, string] => ['', line]),
  ...(invoice.customer_tax_ids ?? []).map(({ value }): [string, string] => ['Tax ID', value ?? '']),
  ['Email', invoice.customer_email ?? ''],
  ...invoice.lines.data.map((line): [string, string] => [
    line.description ?? '',
    money(line.amount),
  ]),
  ...(invoice.total_discount_amounts ?? []).map(({ amount }): [string, string] => [
    'Discount',
    money(-amount),
  ]),
  ['Amount due', money(invoice.amount_due)],
  ['Amount paid', money(invoice.amount_paid)],
];

/** Returns whether the bank requires the customer to confirm the payment. */
function mustConfirm(act: Act, invoice: Invoice): boolean {
  if (invoice.status !== 'open') return false;
  const intent = defaultPayment(act, invoice)?.payment.payment_intent ?? '';
  return act.tables.paymentIntents.find(intent)?.status === 'requires_action';
}

const confirmForm = (invoice: Invoice) =>
  html`<p>Your bank needs you to confirm this payment of ${money(invoice.amount_due)}.</p>
<form method="post" action="/i/${invoice.id}"><button class="wide" type="submit">Confirm payment</button></form>`;

/** The hosted invoice, with confirmation if the bank requires it, and its PDF. As with Stripe, anyone with the URL can open them. */
export function registerInvoicePages(app: FastifyInstance, stripe: Stripe): void {
  const find = async (id: string) => findIn(await stripe.begin(null), id);
  const findIn = (act: Act, id: string) => {
    const invoice = act.tables.invoices.find(id);
    return invoice === undefined || invoice.status === 'draft' ? undefined : invoice;
  };
  app.get<{ Params: { id: string } }>('/i/:id', async ({ params }, reply) => {
    const act = await stripe.begin(null);
    const invoice = findIn(act, params.id);
    if (!invoice)
      return sendNote(reply, 404, 'Nothing here', 'There is no invoice at this address.');
    const rows = linesOf(invoice).map(
      ([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`,
    );
    return sendPage(
      reply,
      200,
      'Invoice',
      html`<section class="card"><h1>${invoice.number}</h1><dl>${rows}</dl>${mustConfirm(act, invoice) && confirmForm(invoice)}<p><a class="button" href="${invoice.invoice_pdf}">Download PDF</a></p></section>`,
    );
  });
  app.get<{ Params: { id: string } }>('/i/:id/pdf', async ({ params }, reply) => {
    const invoice = await find(params.id);
    if (!invoice)
      return sendNote(reply, 404, 'Nothing here', 'There is no invoice at this address.');
    return reply
      .type('application/pdf')
      .header('content-disposition', `attachment; filename="Invoice-${invoice.number}.pdf"`)
      .send(
        minimalPdf(linesOf(invoice).map((line) => line.filter((part) => part !== '').join(': '))),
      );
  });
  app.register(async (scope) => {
    acceptForms(scope);
    scope.post<{ Params: { id: string } }>('/i/:id', async ({ params }, reply) => {
      const act = await stripe.begin(null);
      const invoice = findIn(act, params.id);
      if (!invoice)
        return sendNote(reply, 404, 'Nothing here', 'There is no invoice at this address.');
      if (mustConfirm(act, invoice)) {
        collectInvoice(act, invoice, { planned: false, present: true });
        await stripe.commit(act);
        void stripe.send(act.events);
      }
      return reply.redirect(`/i/${invoice.id}`, 303);
    });
  });
}
