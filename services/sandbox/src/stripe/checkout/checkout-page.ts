import { priceText, productName } from '../invoices/invoice-lines.ts';
import { taxedPlaces } from '../invoices/tax.ts';
import { type CardForm, cardFields, field, refusalNotice } from '../pages/card-form.ts';
import { type Html, html } from '../pages/html.ts';
import { date, money } from '../pages/page.ts';
import type { Act } from '../state/act.ts';
import type { CheckoutSession } from '../state/objects.ts';
import type { SessionHidden } from '../state/tables.ts';
import { trialEndOf } from './checkout-sessions.ts';
import { amountDueNow, taxAt } from './complete-checkout.ts';

/** The page of an open session: the purchase on the left, the card on the right. */
export function checkoutBody(
  act: Act,
  session: CheckoutSession,
  form: CardForm,
  refusal: string | null,
): Html {
  const known = session.customer_details?.email;
  const hidden = act.tables.checkoutSessions.hidden(session.id);
  const trial = trialEndOf(hidden, act.at) !== null;
  const untaxed = amountDueNow(act, session, '');
  const taxed = session.automatic_tax.enabled;
  const price = money(untaxed, hidden.line_item.currency);
  const label = trial ? 'Start trial' : `Pay ${price}${taxed ? ' plus tax' : ''}`;
  return html`${session.cancel_url && html`<a class="back" href="${session.cancel_url}">← Back</a>`}
<div class="two">
${summary(act, session)}
<section class="card" aria-labelledby="pay">
<h2 id="pay">Payment details</h2>
${refusalNotice(refusal)}
<form method="post" action="/c/pay/${session.id}" novalidate>
${known ? html`<p class="quiet">Receipts go to ${known}.</p><br>` : field(form, { name: 'email', label: 'Email', autocomplete: 'email', type: 'email' })}
${cardFields(form)}
${taxed && placeField(act, session)}
<button class="wide" type="submit">${label}</button>
</form>
${testCards()}
</section>
</div>`;
}

/** Shows the tax and total of each place, as Stripe's page does once an address is entered. */
function placeField(act: Act, session: CheckoutSession): Html {
  const { line_item } = act.tables.checkoutSessions.hidden(session.id);
  const { amount_total: amount, currency } = line_item;
  const options = taxedPlaces.map((place) => {
    const tax = taxAt(amount, place);
    return html`<option value="${place}">${place}: ${money(tax, currency)} tax, ${money(amount + tax, currency)} in total</option>`;
  });
  return html`<div class="field">
<label for="place">Billing country and state</label>
<select id="place" name="place">${options}</select>
</div>`;
}

function summary(act: Act, session: CheckoutSession): Html {
  const hidden = act.tables.checkoutSessions.hidden(session.id);
  const trialEnd = trialEndOf(hidden, act.at);
  const { amount_total: total, amount_discount: off, price: bought } = hidden.line_item;
  const price = bought!;
  const show = (amount: number) => money(amount, price.currency);
  const days = trialEnd === null ? 0 : Math.ceil((trialEnd - act.at) / 86_400);
  const due = amountDueNow(act, session, '');
  const credit = total - due;
  return html`<section class="card" aria-labelledby="what">
<h1 id="what">${session.mode === 'payment' ? 'Buy' : trialEnd === null ? 'Subscribe to' : 'Try'} ${productName(act.tables, price)}</h1>
<p class="price">${session.mode === 'payment' ? show(total) : trialEnd === null ? priceText(price) : `${days} ${days === 1 ? 'day' : 'days'} free`}</p>
${trialEnd !== null && html`<p class="quiet">Then ${priceText(price)}, starting ${date(trialEnd)}.</p>`}
<dl>
<div><dt>${productName(act.tables, price)}</dt><dd>${show(total + off)}</dd></div>
${discountRow(act, hidden, show)}
${trialEnd === null && credit > 0 && html`<div><dt>Account credit</dt><dd>${show(-credit)}</dd></div>`}
${session.automatic_tax.enabled && html`<div><dt>Tax</dt><dd>By your billing address</dd></div>`}
<div class="total"><dt>Total due today</dt><dd>${show(due)}${session.automatic_tax.enabled && trialEnd === null && ' plus tax'}</dd></div>
</dl>
</section>`;
}

function discountRow(
  act: Act,
  { promotion, line_item }: SessionHidden,
  show: (amount: number) => string,
): Html | undefined {
  if (promotion === undefined) return undefined;
  const { coupons, promotionCodes } = act.tables;
  const { percent_off, amount_off } = coupons.get(promotion.coupon);
  const label = percent_off === null ? `${show(amount_off ?? 0)} off` : `${percent_off}% off`;
  const code = promotionCodes.find(promotion.code ?? '')?.code ?? '';
  return html`<div><dt>${code} (${label})</dt><dd>${show(-line_item.amount_discount)}</dd></div>`;
}

function testCards(): Html {
  return html`<details>
<summary>Test cards</summary>
<ul>
<li><code>4242 4242 4242 4242</code> works; so does every valid number that begins with 424242</li>
<li><code>4000 0000 0000 0341</code> can be saved, but later charges fail</li>
<li><code>4000 0000 0000 0002</code> is declined, <code>…9995</code> for insufficient funds</li>
</ul>
Any future date and any three digits will do.
</details>`;
}
