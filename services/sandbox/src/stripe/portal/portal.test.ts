import type Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY, openShop, type Shop } from '../../../test/stripe-shop.ts';

let shop: Shop;
let stripe: Stripe;
let configuration: string;
beforeAll(async () => {
  shop = await openShop();
  stripe = shop.stripe;
  const made = await stripe.billingPortal.configurations.create({
    features: {
      payment_method_update: { enabled: true },
      invoice_history: { enabled: true },
    },
  });
  configuration = made.id;
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
  const answer = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(fields),
  });
  return { status: answer.status, to: answer.headers.get('location'), page: await answer.text() };
}

describe('a portal session', () => {
  it('shows plan, card, invoices and the way back, for a day', async () => {
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

it('a new card pays from then on, and an open invoice can be paid', async () => {
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

it('a card that is refused is told, and the old one stays', async () => {
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
