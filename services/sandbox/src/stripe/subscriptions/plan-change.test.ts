import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, openShop, type Shop } from '../../../test/stripe-shop.ts';

let shop: Shop;
let stripe: Stripe;
beforeAll(async () => {
  shop = await openShop();
  stripe = shop.stripe;
});
afterAll(() => shop.close());

const HOUR = 3600;

describe('a plan change', () => {
  const itemOf = async (subscription: string) =>
    (await stripe.subscriptions.retrieve(subscription)).items.data[0]!;

  it('during the trial changes only the later charge', async () => {
    const { subscription, customer } = await shop.subscriber();
    const item = await itemOf(subscription);
    const switched = await stripe.subscriptions.update(subscription, {
      items: [{ id: item.id, price: shop.yearly.id }],
      proration_behavior: 'none',
    });
    expect(switched).toMatchObject({
      status: 'trialing',
      items: { data: [{ id: item.id, current_period_end: item.current_period_end }] },
    });
    await shop.advance(3 * DAY + HOUR);
    expect((await stripe.charges.list({ customer })).data).toMatchObject([{ amount: 4999 }]);
  });

  it('to another interval starts a new period now, minus the unused time of the old one', async () => {
    const { subscription, customer } = await shop.subscriber({ trial_days: null });
    const item = await itemOf(subscription);
    const half = Math.round((item.current_period_end - item.current_period_start) / 2);
    await shop.advance(half);
    const switched = await stripe.subscriptions.update(subscription, {
      items: [{ id: item.id, price: shop.yearly.id }],
      expand: ['latest_invoice'],
    });
    const invoice = switched.latest_invoice as Stripe.Invoice;
    expect(invoice.lines.data.map((line) => line.amount)).toEqual([expect.closeTo(-250, -1), 4999]);
    expect(invoice).toMatchObject({ status: 'paid', amount_paid: invoice.total });
    expect(invoice.total).toBe(invoice.lines.data[0]!.amount + 4999);
    expect(switched.billing_cycle_anchor).toBe(switched.items.data[0]!.current_period_start);
    const charges = (await stripe.charges.list({ customer })).data;
    expect(charges.map((charge) => charge.amount)).toEqual([invoice.total, 499]);
  });
});

it('a price change without proration keeps the period, and unused time is credited as billed', async () => {
  const { subscription, customer } = await shop.subscriber({ trial_days: null });
  const { product } = shop.monthly;
  const dearer = await stripe.prices.create({
    product: product as string,
    currency: 'usd',
    unit_amount: 599,
    recurring: { interval: 'month' },
    lookup_key: 'monthly_599',
  });
  const before = (await stripe.subscriptions.retrieve(subscription)).items.data[0]!;
  const change = (price: string, more: object) =>
    stripe.subscriptions.update(subscription, { items: [{ id: before.id, price }], ...more });
  await expect(change(dearer.id, {})).rejects.toMatchObject({ param: 'proration_behavior' });
  const { items } = await change(dearer.id, { proration_behavior: 'none' });
  expect(items.data).toMatchObject([
    {
      price: { unit_amount: 599 },
      current_period_start: before.current_period_start,
      current_period_end: before.current_period_end,
    },
  ]);
  const [old] = (
    await stripe.invoices.createPreview({
      subscription,
      subscription_details: {
        items: [{ id: before.id, price: shop.yearly.id }],
        proration_behavior: 'always_invoice',
      },
    })
  ).lines.data;
  expect(old?.amount).toBe(-499);
  await shop.advance(before.current_period_end - shop.now() + 2 * HOUR);
  const { data } = await stripe.charges.list({ customer });
  expect(data.map(({ amount }) => amount)).toEqual([599, 499]);
});

describe('a subscription made through the API', () => {
  it('is charged immediately, or not created if the card is declined', async () => {
    const { customer, subscription } = await shop.subscriber({ card: '4000000000000341' });
    const { default_payment_method } = await stripe.subscriptions.retrieve(subscription);
    const create = () =>
      stripe.subscriptions.create({
        customer,
        default_payment_method: default_payment_method as string,
        items: [{ price: shop.monthly.id }],
      });
    await expect(create()).rejects.toMatchObject({ decline_code: 'generic_decline' });
    expect((await stripe.subscriptions.list({ customer })).data).toHaveLength(1);
  });

  it('is listed by customer and status', async () => {
    const { customer, subscription } = await shop.subscriber();
    await stripe.subscriptions.cancel(subscription);
    const list = (params: object) => stripe.subscriptions.list({ customer, ...params });
    expect((await list({})).data).toEqual([]);
    expect((await list({ status: 'all' })).data).toHaveLength(1);
    expect((await list({ status: 'canceled' })).data).toHaveLength(1);
  });
});

describe('a later next charge', () => {
  it('turns an active plan into a trial until then, without credit', async () => {
    const { subscription, customer } = await shop.subscriber({ trial_days: null });
    const end = shop.now() + 40 * DAY;
    const moved = await stripe.subscriptions.update(subscription, {
      trial_end: end,
      proration_behavior: 'none',
      metadata: { why: 'free days' },
    });
    expect(moved).toMatchObject({
      status: 'trialing',
      trial_end: end,
      metadata: { why: 'free days' },
      items: { data: [{ current_period_end: end }] },
    });
    await shop.advance(40 * DAY - HOUR);
    expect((await stripe.charges.list({ customer })).data).toHaveLength(1);
    await shop.advance(3 * HOUR);
    expect((await stripe.charges.list({ customer })).data).toHaveLength(2);
    expect((await stripe.subscriptions.retrieve(subscription)).status).toBe('active');
  });

  it('extends a trial without an invoice, and announces its end again', async () => {
    const { subscription } = await shop.subscriber();
    const end = shop.now() + 10 * DAY;
    await stripe.subscriptions.update(subscription, { trial_end: end });
    expect((await stripe.invoices.list({ subscription })).data).toHaveLength(1);
    await shop.advance(8 * DAY);
    const { data } = await stripe.events.list({
      type: 'customer.subscription.trial_will_end',
      limit: 100,
    });
    const own = data.filter(
      ({ data: { object } }) => (object as { id: string }).id === subscription,
    );
    expect(own).toHaveLength(2);
    await expect(
      stripe.subscriptions.update(subscription, { trial_end: shop.now() - 1 }),
    ).rejects.toMatchObject({ param: 'trial_end' });
  });
});
