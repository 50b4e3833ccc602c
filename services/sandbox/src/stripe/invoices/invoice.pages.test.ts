import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, openShop, type Shop } from '../../../test/stripe-shop.ts';

let shop: Shop;
let stripe: Stripe;
let pounds: Stripe.Price;
beforeAll(async () => {
  shop = await openShop();
  stripe = shop.stripe;
  pounds = await stripe.prices.create({
    ...{ currency: 'gbp', unit_amount: 449, recurring: { interval: 'month' } },
    product: shop.monthly.product as string,
  });
});
afterAll(() => shop.close());

const HOUR = 3600;
const load = async (url: string) => (await fetch(url)).text();
const submit = (url: string, fields: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) });

describe('a charge that the bank wants confirmed', () => {
  const unconfirmed = async () => {
    const { subscription } = await shop.subscriber({
      card: '4000002760003184',
      price: pounds.id,
    });
    await shop.advance(3 * DAY + HOUR);
    const [invoice] = (await stripe.invoices.list({ subscription })).data;
    return { id: invoice!.id, url: invoice!.hosted_invoice_url! };
  };
  const intentOf = async (id: string) => {
    const { payments } = await stripe.invoices.retrieve(id, { expand: ['payments'] });
    return stripe.paymentIntents.retrieve(payments!.data[0]!.payment.payment_intent as string);
  };

  it('can be confirmed on its page, even after a failed attempt', async () => {
    const { id, url } = await unconfirmed();
    const page = await load(url);
    expect(page).toContain('Your bank needs you to confirm this payment of £4.49.');
    expect(page).not.toMatch(/role="alert"|\$/);
    expect((await submit(url, { action: 'fail' })).status).toBe(303);
    expect(await load(url)).toMatch(/role="alert">We couldn&#39;t confirm .*Confirm payment/s);
    expect(await intentOf(id)).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'payment_intent_authentication_failure' },
    });
    await submit(url);
    expect(await load(url)).toMatch(/role="status">This invoice is paid\./);
    expect(await intentOf(id)).toMatchObject({ status: 'succeeded', amount_received: 449 });
  });

  it('shows a decline, and no longer asks to confirm', async () => {
    const { url } = await unconfirmed();
    await shop.test.post('/sandbox/faults', { stripe: { charge_decline: 'insufficient_funds' } });
    await submit(url);
    await shop.test.post('/sandbox/faults', { reset: true });
    const page = await load(url);
    expect(page).toContain('role="alert">Your card has insufficient funds.');
    expect(page).not.toContain('Confirm payment');
  });
});

it('pages and PDFs show amounts in their currency', async () => {
  const line_items = [{ price: pounds.id, quantity: 1 }];
  const checkout = await shop.checkout({ trial_days: null, line_items });
  const page = await load(checkout.url!);
  expect(page).toContain('£4.49 / month');
  expect(page).toContain('>Pay £4.49</button>');
  const { subscription } = await shop.subscriber({ trial_days: null, price: pounds.id });
  const [invoice] = (await stripe.invoices.list({ subscription })).data;
  const pdf = Buffer.from(await (await fetch(invoice!.invoice_pdf!)).arrayBuffer());
  expect(pdf.toString('latin1')).toContain('Amount paid: £4.49');
});
