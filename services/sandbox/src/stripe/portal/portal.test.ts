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
      subscription_cancel: { enabled: true, mode: 'at_period_end' },
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
  it('is refused without a configuration and without an address to return to', async () => {
    const none = stripe.billingPortal.sessions.create({
      customer: who.customer,
      return_url: 'http://shop.example',
    });
    await expect(none).rejects.toMatchObject({ statusCode: 400 });
    await expect(openPortal({ return_url: undefined as never })).rejects.toMatchObject({
      param: 'return_url',
    });
  });

  it('shows plan, card, invoices and the way back, for a day', async () => {
    const { url } = await openPortal();
    const page = await (await fetch(url)).text();
    expect(page).toContain('no real money');
    expect(page).toContain('Daily texts');
    expect(page).toContain('Your trial ends on');
    expect(page).toContain('•••• 0341');
    expect(page).toContain('-0001</a>');
    expect(page).toContain('href="http://shop.example/dashboard"');
    await shop.advance(DAY);
    expect((await fetch(url)).status).toBe(410);
  });
});

it('cancelling in the portal sets cancel_at alone, and can be undone there', async () => {
  const { url } = await openPortal();
  const { status, to } = await post(url, { action: 'cancel', object: who.subscription });
  expect([status, to]).toEqual([303, expect.stringContaining('?done=cancel')]);
  const planned = await stripe.subscriptions.retrieve(who.subscription);
  expect(planned).toMatchObject({
    cancel_at: planned.trial_end,
    cancel_at_period_end: false,
    cancellation_details: { reason: 'cancellation_requested' },
  });
  const event = await shop.hook('customer.subscription.updated', ({ id }) => id === planned.id);
  expect(event.data.previous_attributes).toMatchObject({ cancel_at: null });
  await post(url, { action: 'renew', object: who.subscription });
  expect((await stripe.subscriptions.retrieve(who.subscription)).cancel_at).toBeNull();
  await post(url, { action: 'cancel', object: who.subscription });
  await shop.advance(3 * DAY);
  expect((await stripe.subscriptions.retrieve(who.subscription)).status).toBe('canceled');
});

it('a new card pays from then on, and an open invoice can be paid', async () => {
  await shop.advance(3 * DAY + HOUR);
  const { url } = await openPortal();
  const [open] = (await stripe.invoices.list({ customer: who.customer, status: 'open' })).data;
  expect((await post(url, { action: 'pay', object: open!.id })).status).toBe(402);
  expect((await post(url, { action: 'update_card', ...CARD })).status).toBe(303);
  expect((await post(url, { action: 'pay', object: open!.id })).status).toBe(303);
  const subscription = await stripe.subscriptions.retrieve(who.subscription, {
    expand: ['default_payment_method', 'customer'],
  });
  expect(subscription).toMatchObject({
    status: 'active',
    default_payment_method: { card: { last4: '4444' } },
  });
  await shop.hook('payment_method.attached', ({ customer }) => customer === who.customer);
  const shown = await fetch(open!.hosted_invoice_url!);
  expect(await shown.text()).toContain(open!.number!);
});

it('a card that is refused is told, and the old one stays', async () => {
  const { url } = await openPortal();
  const declined = { action: 'update_card', ...CARD, card_number: '4000000000000002' };
  const { status, page } = await post(url, declined);
  expect(status).toBe(402);
  expect(page).toContain('Your card was declined.');
  const { data } = await stripe.customers.listPaymentMethods(who.customer);
  expect(data.map((method) => method.card?.last4)).toEqual(['0341']);
});

it('nobody reaches the plans and invoices of another customer', async () => {
  const other = await shop.subscriber();
  const { url } = await openPortal();
  const cancel = await post(url, { action: 'cancel', object: other.subscription });
  expect(cancel.status).toBe(400);
  const pay = await post(url, { action: 'pay', object: other.session.invoice as string });
  expect(pay.status).toBe(400);
});

it('a flow leads back to its own address when it is done', async () => {
  const { url, flow } = await openPortal({
    flow_data: {
      type: 'payment_method_update',
      after_completion: { type: 'redirect', redirect: { return_url: 'http://shop.example/card' } },
    },
  });
  expect(flow?.type).toBe('payment_method_update');
  const { to } = await post(url, { action: 'update_card', ...CARD });
  expect(to).toBe('http://shop.example/card');
});
