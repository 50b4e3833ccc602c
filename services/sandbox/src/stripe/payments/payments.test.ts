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

it('a charge can be refunded partly, then fully, never beyond', async () => {
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

it('the ledger lists every charge and refund to the cent', async () => {
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

async function dispute(options: object = {}) {
  const { customer, payment_intent } = await payment();
  const { data } = await stripe.charges.list({ customer });
  const opened = { charge: data[0]!.id, ...options };
  const { body } = await shop.test.post<{ id: string }>('/sandbox/disputes', opened);
  return { charge: data[0]!.id, payment_intent, id: body.id };
}
const decide = (id: string, status: string) =>
  shop.test.post(`/sandbox/disputes/${id}`, { status });
const entriesOf = async (id: string) =>
  (await stripe.disputes.retrieve(id)).balance_transactions.map((entry) => [
    entry.reporting_category,
    entry.amount,
    entry.fee,
  ]);

it('a dispute withdraws the money plus a fee, and winning it returns the money', async () => {
  const { id, charge, payment_intent } = await dispute();
  const listed = await stripe.disputes.list({ payment_intent });
  expect(listed.data).toMatchObject([{ id, charge, status: 'needs_response', amount: 499 }]);
  expect(await entriesOf(id)).toEqual([['dispute', -499, 1500]]);
  await expect(stripe.refunds.create({ payment_intent })).rejects.toMatchObject({
    code: 'charge_disputed',
  });
  expect((await stripe.charges.list({ limit: 1 })).data[0]).toMatchObject({ disputed: true });
  await decide(id, 'under_review');
  await decide(id, 'won');
  expect((await decide(id, 'lost')).status).toBe(400);
  expect(await entriesOf(id)).toEqual([
    ['dispute', -499, 1500],
    ['dispute_reversal', 499, 0],
  ]);
  await shop.hook('charge.dispute.closed', (object) => object.id === id);
  expect(new Set(shop.hookTypes(id))).toEqual(
    new Set([
      'charge.dispute.created',
      'charge.dispute.funds_withdrawn',
      'charge.dispute.updated',
      'charge.dispute.funds_reinstated',
      'charge.dispute.closed',
    ]),
  );
});

it('a lost dispute keeps the money, and an inquiry never takes any', async () => {
  const lost = await dispute();
  await decide(lost.id, 'lost');
  expect(await entriesOf(lost.id)).toEqual([['dispute', -499, 1500]]);
  const inquiry = await dispute({ inquiry: true });
  await decide(inquiry.id, 'warning_closed');
  expect(await entriesOf(inquiry.id)).toEqual([]);
});

it('an invoice paid elsewhere is paid without a charge', async () => {
  await shop.test.post('/sandbox/faults', { stripe: { charge_decline: 'insufficient_funds' } });
  const { customer, subscription } = await shop.subscriber();
  await shop.advance(3 * DAY + HOUR);
  await shop.test.post('/sandbox/faults', { reset: true });
  const { data } = await stripe.invoices.list({ subscription, status: 'open' });
  await stripe.invoices.pay(data[0]!.id, { paid_out_of_band: true });
  const paid = await stripe.invoices.retrieve(data[0]!.id, { expand: ['payments'] });
  expect(paid).toMatchObject({ status: 'paid', amount_paid: 499, amount_remaining: 0 });
  const settled = paid.payments?.data.filter(({ status }) => status === 'paid');
  expect(settled?.map(({ payment }) => payment.type)).toEqual(['payment_record']);
  expect((await stripe.charges.list({ customer })).data.every(({ paid }) => !paid)).toBe(true);
  expect((await stripe.subscriptions.retrieve(subscription)).status).toBe('active');
});

it('a subscription whose collection is paused voids its renewals until it resumes', async () => {
  const { customer, subscription } = await shop.subscriber({ trial_days: null });
  await stripe.subscriptions.update(subscription, { pause_collection: { behavior: 'void' } });
  await shop.advance(32 * DAY);
  const { data } = await stripe.invoices.list({ subscription });
  expect(data.map(({ status }) => status)).toEqual(['void', 'paid']);
  expect((await stripe.charges.list({ customer })).data).toHaveLength(1);
  await stripe.subscriptions.update(subscription, { pause_collection: '' });
  await shop.advance(31 * DAY);
  expect((await stripe.charges.list({ customer })).data).toHaveLength(2);
});

it('lists at most twenty types of events at a time', async () => {
  const types = Array.from({ length: 21 }, (_, n) => `type_${n}`);
  await expect(stripe.events.list({ types })).rejects.toMatchObject({ statusCode: 400 });
});
