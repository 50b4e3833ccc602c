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
const invoicesOf = async (subscription: string) =>
  (await stripe.invoices.list({ subscription, limit: 100 })).data;

describe('another plan', () => {
  const itemOf = async (subscription: string) =>
    (await stripe.subscriptions.retrieve(subscription)).items.data[0]!;

  it('during the trial changes only what will be charged', async () => {
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

  it('of another interval begins a period now, less what is left of the old', async () => {
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

  it('of the same interval is settled with the next invoice', async () => {
    const dearer = await stripe.prices.create({
      currency: 'usd',
      unit_amount: 999,
      recurring: { interval: 'month' },
      product: shop.monthly.product as string,
    });
    const { subscription } = await shop.subscriber({ trial_days: null });
    const item = await itemOf(subscription);
    await shop.advance(Math.round((item.current_period_end - item.current_period_start) / 2));
    await stripe.subscriptions.update(subscription, { items: [{ id: item.id, price: dearer.id }] });
    expect(await invoicesOf(subscription)).toHaveLength(1);
    await shop.advance(item.current_period_end - shop.now() + HOUR);
    const [invoice] = await invoicesOf(subscription);
    const amounts = invoice!.lines.data.map((line) => line.amount);
    expect(amounts).toEqual([expect.closeTo(-250, -1), expect.closeTo(500, -1), 999]);
    expect(invoice!.amount_paid).toBe(amounts.reduce((a, b) => a + b));
  });

  it('is refused with an archived price', async () => {
    const old = await stripe.prices.create({
      currency: 'usd',
      unit_amount: 100,
      recurring: { interval: 'month' },
      product: shop.monthly.product as string,
    });
    await stripe.prices.update(old.id, { active: false });
    const { subscription } = await shop.subscriber();
    const { id } = await itemOf(subscription);
    const update = stripe.subscriptions.update(subscription, { items: [{ id, price: old.id }] });
    await expect(update).rejects.toMatchObject({ statusCode: 400 });
  });
});

describe('a subscription made through the API', () => {
  it('needs a card, and is incomplete until the first payment, for 23 hours', async () => {
    const customer = await stripe.customers.create({ email: 'api@example.com' });
    const items = [{ price: shop.monthly.id }];
    await expect(
      stripe.subscriptions.create({ customer: customer.id, items }),
    ).rejects.toMatchObject({ code: 'resource_missing' });
    const made = await stripe.subscriptions.create({
      customer: customer.id,
      items,
      payment_behavior: 'default_incomplete',
    });
    expect(made.status).toBe('incomplete');
    await shop.advance(23 * HOUR);
    expect((await stripe.subscriptions.retrieve(made.id)).status).toBe('incomplete_expired');
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
