import type Stripe from 'stripe';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DAY, openShop, type Shop } from '../../../test/stripe-shop.ts';

let shop: Shop;
let stripe: Stripe;
beforeAll(async () => {
  shop = await openShop();
  stripe = shop.stripe;
});
afterAll(() => shop.close());

const HOUR = 3600;

async function payment(): Promise<{ customer: string; payment_intent: string }> {
  const { customer } = await shop.subscriber({ trial_days: null });
  const { data } = await stripe.paymentIntents.list({ customer });
  return { customer, payment_intent: data[0]!.id };
}

it('a refund gives back a part, then the rest, and never more', async () => {
  const { customer, payment_intent } = await payment();
  const part = await stripe.refunds.create({ payment_intent, amount: 200 });
  expect(part).toMatchObject({ status: 'succeeded', amount: 200 });
  const more = stripe.refunds.create({ payment_intent, amount: 300 });
  await expect(more).rejects.toMatchObject({ statusCode: 400, param: 'amount' });
  await stripe.refunds.create({ payment_intent, reason: 'requested_by_customer' });
  await expect(stripe.refunds.create({ payment_intent })).rejects.toMatchObject({
    code: 'charge_already_refunded',
  });
  const [charge] = (await stripe.charges.list({ customer })).data;
  expect(charge).toMatchObject({ id: part.charge, refunded: true, amount_refunded: 499 });
  const refunds = await stripe.refunds.list({ payment_intent });
  expect(refunds.data.map((refund) => refund.amount)).toEqual([299, 200]);
  const refunded = await shop.hook(
    'charge.refunded',
    (object) => object.id === part.charge && object.refunded === true,
  );
  expect(refunded.data.previous_attributes).toMatchObject({ amount_refunded: 200 });
  await shop.hook('refund.created', ({ id }) => id === part.id);
});

it('the ledger tells every cent that came and went', async () => {
  const before = shop.now();
  await shop.advance(HOUR);
  await shop.subscriber();
  await shop.subscriber({ price: shop.yearly.id, trial_days: null });
  await shop.subscriber({ card: '4000000000000341' });
  await shop.advance(3 * DAY + HOUR);
  const { payment_intent } = await payment();
  await stripe.refunds.create({ payment_intent, amount: 99 });
  const seen: Stripe.BalanceTransaction[] = [];
  const list = stripe.balanceTransactions.list({ created: { gt: before }, limit: 2 });
  for await (const entry of list) seen.push(entry);
  expect(seen.map((entry) => [entry.type, entry.amount]).sort()).toEqual([
    ['charge', 499],
    ['charge', 499],
    ['charge', 4999],
    ['refund', -99],
  ]);
  expect(seen.every((entry) => entry.net === entry.amount - entry.fee)).toBe(true);
});

it('the dial declines every charge with its code', async () => {
  await shop.test.post('/sandbox/faults', { stripe: { charge_decline: 'insufficient_funds' } });
  const { id } = await shop.checkout({ trial_days: null });
  expect(await shop.complete(id)).toMatchObject({
    status: 402,
    body: { decline_code: 'insufficient_funds' },
  });
  await shop.test.post('/sandbox/faults', { reset: true });
  expect((await shop.complete(id)).status).toBe(200);
});
