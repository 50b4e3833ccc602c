import type { TaxIdType } from '../customers/billing-details.ts';
import { priceText, productName } from '../invoices/invoice-lines.ts';
import { type CardForm, cardFields, field, refusalNotice } from '../pages/card-form.ts';
import { type Html, html } from '../pages/html.ts';
import { date, money } from '../pages/page.ts';
import type { Act } from '../state/act.ts';
import type {
  Customer,
  Invoice,
  PortalConfiguration,
  PortalSession,
  Subscription,
} from '../state/objects.ts';
import { hasEnded } from '../subscriptions/end-subscription.ts';
import { currentPeriod, itemOf, payingMethod } from '../subscriptions/subscriptions.ts';

export interface PortalView {
  session: PortalSession;
  customer: Customer;
  features: PortalConfiguration['features'];
  form: CardForm;
  details: CardForm;
  refusal: string | null;
  notice: string | null;
}

export function runningSubscriptions(act: Act, customer: string): Subscription[] {
  return act.tables.subscriptions.by('customer', customer).filter((each) => !hasEnded(each));
}

/** Renders the customer's page: plans, card, invoices. */
export function portalBody(act: Act, view: PortalView): Html {
  const { session, features, customer } = view;
  const subscriptions = runningSubscriptions(act, customer.id);
  return html`<a class="back" href="${session.return_url}">← Return to the shop</a>
<h1>Billing for ${customer.email ?? customer.id}</h1><br>
${view.notice !== null && html`<p class="notice good" role="status">${view.notice}</p>`}
<div class="two">
<div>
${subscriptions.map((subscription) => subscriptionCard(act, subscription))}
${subscriptions.length === 0 && html`<section class="card"><h2>Current plan</h2><p>There is no active plan.</p></section>`}
${features.invoice_history.enabled && invoices(act, view)}
</div>
<div>
${features.payment_method_update.enabled && cardCard(act, view, subscriptions[0])}
${features.customer_update.enabled && detailsCard(view)}
</div>
</div>`;
}

function subscriptionCard(act: Act, subscription: Subscription): Html {
  const { cancel_at, status } = subscription;
  const { price } = itemOf(subscription);
  const { end } = currentPeriod(subscription);
  const next =
    status === 'trialing' ? `Your trial ends on ${date(end)}.` : `Renews on ${date(end)}.`;
  return html`<section class="card">
<h2>Current plan</h2>
<p><strong>${productName(act.tables, price)}</strong> <span class="badge ${status}">${status.replace('_', ' ')}</span></p>
<p class="price">${priceText(price)}</p>
<p class="quiet">${cancel_at === null ? next : `Ends on ${date(cancel_at)} and does not renew.`}</p>
</section>`;
}

function cardCard(act: Act, view: PortalView, subscription: Subscription | undefined): Html {
  const method = subscription
    ? payingMethod(act, subscription)
    : act.tables.paymentMethods.find(view.customer.invoice_settings.default_payment_method ?? '');
  const card = method?.card;
  return html`<section class="card" aria-labelledby="card">
<h2 id="card">Payment method</h2>
<p class="quiet">${card ? `Now: ${card.brand} •••• ${card.last4}, expires ${String(card.exp_month).padStart(2, '0')}/${String(card.exp_year).slice(2)}` : 'There is no card on file.'}</p><br>
${refusalNotice(view.refusal)}
<form method="post" action="/p/session/${view.session.id}" novalidate>
${cardFields(view.form)}
<button class="wide" type="submit" name="action" value="update_card">Save card</button>
</form>
</section>`;
}

const taxIdNames: Record<TaxIdType, string> = {
  us_ein: 'US EIN',
  eu_vat: 'EU VAT',
  gb_vat: 'GB VAT',
  ca_bn: 'CA BN',
  au_abn: 'AU ABN',
};

function detailsCard({ session, details }: PortalView): Html {
  const input = (name: string, label: string, autocomplete: string) =>
    field(details, { name, label, autocomplete, isOptional: true });
  const type = details.values.tax_id_type;
  return html`<section class="card" aria-labelledby="details">
<h2 id="details">Billing information</h2>
<p class="quiet">Shown on invoices from now on.</p><br>
<form method="post" action="/p/session/${session.id}" novalidate>
${input('billing_name', 'Name or company', 'organization')}
${input('line1', 'Address line 1', 'address-line1')}
${input('line2', 'Address line 2', 'address-line2')}
<div class="pair">${input('city', 'City', 'address-level2')}${input('state', 'State or region', 'address-level1')}</div>
<div class="pair">${input('postal_code', 'Postal code', 'postal-code')}${input('country', 'Country code', 'country')}</div>
<div class="pair"><div class="field"><label for="tax_id_type">Type of tax ID</label>
<select id="tax_id_type" name="tax_id_type">${Object.entries(taxIdNames).map(
    ([value, name]) =>
      html`<option value="${value}"${value === type && html` selected`}>${name}</option>`,
  )}</select></div>${input('tax_id', 'Tax ID', 'off')}</div>
<button class="wide" type="submit" name="action" value="update_details">Save billing information</button>
</form>
</section>`;
}

function invoices(act: Act, view: PortalView): Html {
  const all = act.tables.invoices
    .by('customer', view.customer.id)
    .filter((invoice) => invoice.status !== 'draft')
    .reverse();
  return html`<section class="card">
<h2>Invoices</h2>
<div class="scroll"><table>
<thead><tr><th>Date</th><th>Number</th><th>Status</th><th class="number">Total</th><td></td></tr></thead>
<tbody>${all.map((invoice) => invoiceRow(view, invoice))}</tbody>
</table></div>
</section>`;
}

function invoiceRow(view: PortalView, invoice: Invoice): Html {
  return html`<tr>
<td>${date(invoice.created, 'short')}</td>
<td>${invoice.number ?? invoice.id}</td>
<td><span class="badge ${invoice.status}">${invoice.status}</span></td>
<td class="number">${money(invoice.total, invoice.currency)}</td>
<td>${
    invoice.status === 'open' &&
    html`<form method="post" action="/p/session/${view.session.id}">
<input type="hidden" name="object" value="${invoice.id}">
<button class="plain" type="submit" name="action" value="pay">Pay now</button>
</form>`
  }</td>
</tr>`;
}
