import type { FastifyInstance } from 'fastify';
import { addressLines } from '../customers/billing-details.ts';
import type { Stripe } from '../open-stripe.ts';
import { refusalNotice } from '../pages/card-form.ts';
import { type Html, html } from '../pages/html.ts';
import { acceptForms, date, money, type PageForm, sendNote, sendPage } from '../pages/page.ts';
import { authenticationFailure, failConfirmation } from '../payments/payment-intents.ts';
import type { Act } from '../state/act.ts';
import type { Invoice, PaymentIntent } from '../state/objects.ts';
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
    money(line.amount, line.currency),
  ]),
  ...(invoice.total_discount_amounts ?? []).map(({ amount }): [string, string] => [
    'Discount',
    money(-amount, invoice.currency),
  ]),
  ['Amount due', money(invoice.amount_due, invoice.currency)],
  ['Amount paid', money(invoice.amount_paid, invoice.currency)],
];

/** Returns the payment if the bank requires the customer to confirm it. */
function unconfirmedIntent(act: Act, invoice: Invoice): PaymentIntent | null {
  const intent = openIntent(act, invoice);
  const failed = intent?.last_payment_error?.code === authenticationFailure;
  return intent && (failed || intent.status === 'requires_action') ? intent : null;
}

function openIntent(act: Act, invoice: Invoice): PaymentIntent | undefined {
  if (invoice.status !== 'open') return undefined;
  return act.tables.paymentIntents.find(defaultPayment(act, invoice)?.payment.payment_intent ?? '');
}

function paymentPart(act: Act, invoice: Invoice): Html | null {
  if (invoice.status === 'paid')
    return html`<p class="good" role="status">This invoice is paid. You can close this page.</p>`;
  const intent = openIntent(act, invoice);
  const isUntried = intent?.status === 'requires_action';
  const notice = refusalNotice(isUntried ? null : (intent?.last_payment_error?.message ?? null));
  if (unconfirmedIntent(act, invoice) === null) return notice;
  return html`${notice}<p>Your bank needs you to confirm this payment of ${money(invoice.amount_due, invoice.currency)}.</p>
<form class="stack" method="post" action="/i/${invoice.id}">
<button class="wide" type="submit">Confirm payment</button>
<button class="wide plain" type="submit" name="action" value="fail">Fail confirmation</button>
</form>`;
}

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
      html`<section class="card"><h1>${invoice.number}</h1><dl>${rows}</dl>${paymentPart(act, invoice)}<p><a href="${invoice.invoice_pdf}">Download PDF</a></p></section>`,
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
    scope.post<{ Params: { id: string }; Body: PageForm }>('/i/:id', async (request, reply) => {
      const { params, body } = request;
      const act = await stripe.begin(null);
      const invoice = findIn(act, params.id);
      if (!invoice)
        return sendNote(reply, 404, 'Nothing here', 'There is no invoice at this address.');
      const intent = unconfirmedIntent(act, invoice);
      if (intent !== null) {
        if (body.action === 'fail') failConfirmation(act, intent);
        else collectInvoice(act, invoice, { planned: false, present: true });
        await stripe.commit(act);
        void stripe.send(act.events);
      }
      return reply.redirect(`/i/${invoice.id}`, 303);
    });
  });
}
