import type Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY, openShop, type Shop } from '../../../test/stripe-shop.ts';

let shop: Shop;
let stripe: Stripe;
let configuration: string;
beforeAll(async () => {
  shop = await openShop();
  stripe = shop.stripe;
  const created = await stripe.billingPortal.configurations.create({
    features: {
      payment_method_update: { enabled: true },
      invoice_history: { enabled: true },
      customer_update: { enabled: true, allowed_updates: ['name', 'address', 'tax_id'] },
    },
  });
  configuration = created.id;
});
afterAll(() => shop.close());

const HOUR = 3600;
const CARD = { card_number: '5555555555554444', expiry: '11/40', cvc: '123', name: 'Ada' };

let who: { customer: string; subscription: string };
beforeEach(async () => {
  who = await shop.subscriber({ card: '4000000000000341' });
});

const openPortal = (params: Partial<Stripe.BillingPortal.SessionCreateParams> = {}) =>
  stripe.billingPortal.sessions.create({
    customer: who.customer,
    configuration,
    return_url: 'http://shop.example/dashboard',
    ...params,
  });

async function post(url: string, fields: Record<string, string>) {
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(fields),
  });
  return {
    status: response.status,
    to: response.headers.get('location'),
    page: await response.text(),
  };
}

describe('a portal session', () => {
  it('shows plan, card, invoices and a return link, for a day', async () => {
    const { url } = await openPortal();
    const page = await (await fetch(url)).text();
    expect(page).toContain('no real money');
    expect(page).toContain('Daily texts');
    expect(page).toContain('Your trial ends on');
    expect(page).toContain('•••• 0341');
    expect(page).toContain('-0001</td>');
    expect(page).toContain('href="http://shop.example/dashboard"');
    await shop.advance(DAY);
    expect((await fetch(url)).status).toBe(410);
  });
});

it('a new card is charged from then on, and can pay an open invoice', async () => {
  await shop.advance(3 * DAY + HOUR);
  const { url } = await openPortal();
  const [open] = (await stripe.invoices.list({ customer: who.customer, status: 'open' })).data;
  expect((await post(url, { action: 'pay', object: open!.id })).status).toBe(402);
  await expect(stripe.invoices.pay(open!.id)).rejects.toMatchObject({ code: 'card_declined' });
  expect((await post(url, { action: 'update_card', ...CARD })).status).toBe(303);
  expect(await stripe.invoices.pay(open!.id)).toMatchObject({ status: 'paid', amount_paid: 499 });
  const subscription = await stripe.subscriptions.retrieve(who.subscription, {
    expand: ['default_payment_method', 'customer'],
  });
  expect(subscription).toMatchObject({
    status: 'active',
    default_payment_method: { card: { last4: '4444' } },
  });
  await shop.hook('payment_method.attached', ({ customer }) => customer === who.customer);
});

it('a declined card shows an error, and the old one stays', async () => {
  const { url } = await openPortal();
  const declined = { action: 'update_card', ...CARD, card_number: '4000000000000002' };
  const { status, page } = await post(url, declined);
  expect(status).toBe(402);
  expect(page).toContain('Your card was declined.');
  expect((await shop.cardOf(who.subscription)).last4).toBe('0341');
});

it("customers can't pay each other's invoices", async () => {
  const other = await shop.subscriber();
  const { url } = await openPortal();
  const pay = await post(url, { action: 'pay', object: other.session.invoice as string });
  expect(pay.status).toBe(400);
});

it('billing information appears on invoices finalized afterwards, even on a draft', async () => {
  await shop.advance(3 * DAY);
  const { url } = await openPortal();
  const details = {
    action: 'update_details',
    billing_name: 'Ünal GmbH',
    line1: 'Hauptstr. 1',
    postal_code: '10115',
    city: 'Berlin',
    country: 'DE',
    tax_id_type: 'eu_vat',
    tax_id: 'DE123456789',
  };
  const wrong = await post(url, { ...details, tax_id: 'x' });
  expect(wrong.status).toBe(400);
  expect(wrong.page).toContain('This tax ID is invalid.');
  expect(wrong.page).toContain('value="Hauptstr. 1"');
  expect((await post(url, { ...details, country: 'Germany' })).status).toBe(400);
  expect((await post(url, details)).status).toBe(303);
  expect(await (await fetch(url)).text()).toContain('value="DE123456789"');
  await shop.advance(HOUR);
  const [renewal, first] = (await stripe.invoices.list({ customer: who.customer })).data;
  expect(renewal).toMatchObject({
    customer_name: 'Ünal GmbH',
    customer_address: { line1: 'Hauptstr. 1', line2: null, country: 'DE' },
    customer_tax_ids: [{ type: 'eu_vat', value: 'DE123456789' }],
  });
  expect(first).toMatchObject({ customer_address: null, customer_tax_ids: [] });
  const pdf = await (await fetch(renewal!.invoice_pdf!)).text();
  for (const line of ['Hauptstr. 1', '10115', 'Tax ID: DE123456789']) expect(pdf).toContain(line);
  await shop.hook('customer.updated', ({ address }) => address !== null);
  const empty = { ...details, line1: '', postal_code: '', city: '', country: '', tax_id: '' };
  expect((await post(url, empty)).status).toBe(303);
  expect(await (await fetch(url)).text()).not.toContain('DE123456789');
});

it('billing information is locked unless the configuration allows it', async () => {
  const locked = await stripe.billingPortal.configurations.create({
    features: { invoice_history: { enabled: true } },
  });
  const { url } = await openPortal({ configuration: locked.id });
  expect(await (await fetch(url)).text()).not.toContain('Billing information');
  expect((await post(url, { action: 'update_details', billing_name: 'X' })).status).toBe(400);
});
