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
const LATE = '4000000000000341';
const invoicesOf = async (subscription: string) =>
  (await stripe.invoices.list({ subscription, limit: 100 })).data;
const eventsOf = async (id: string, type: string) => {
  const { data } = await stripe.events.list({ type, limit: 100 });
  return data.filter((event) => (event.data.object as { id: string }).id === id);
};

describe('a trial', () => {
  it('becomes active at its end, and is charged an hour later', async () => {
    const { subscription, customer } = await shop.subscriber();
    await shop.advance(3 * DAY);
    const active = await stripe.subscriptions.retrieve(subscription, {
      expand: ['latest_invoice'],
    });
    expect(active).toMatchObject({
      status: 'active',
      latest_invoice: { status: 'draft', billing_reason: 'subscription_cycle', amount_due: 499 },
    });
    expect((await stripe.charges.list({ customer })).data).toEqual([]);
    await shop.advance(HOUR);
    const [invoice] = await invoicesOf(subscription);
    expect(invoice).toMatchObject({
      status: 'paid',
      amount_paid: 499,
      amount_due: 499,
      amount_remaining: 0,
      attempt_count: 1,
      parent: { subscription_details: { subscription, metadata: { user_id: 'u1' } } },
      lines: { data: [{ amount: 499, period: { start: active.trial_end } }] },
    });
    expect(invoice!.status_transitions.paid_at).toBe(active.trial_end! + HOUR);
    const paid = await eventsOf(invoice!.id, 'invoice.paid');
    expect(paid.map((event) => event.created)).toEqual([active.trial_end! + HOUR]);
  });

  it('publishes the change from trialing to active with the previous values', async () => {
    const { subscription } = await shop.subscriber();
    const before = await stripe.subscriptions.retrieve(subscription);
    await shop.advance(3 * DAY);
    const event = await shop.hook('customer.subscription.updated', ({ id }) => id === subscription);
    expect(event.data.object).toMatchObject({ status: 'active' });
    expect(event.data.previous_attributes).toMatchObject({
      status: 'trialing',
      latest_invoice: before.latest_invoice,
      items: { data: [{ current_period_end: before.trial_end }] },
    });
    expect(event.data.previous_attributes).not.toHaveProperty('customer');
  });

  it('of three days sends trial_will_end at its start, a longer one three days before its end', async () => {
    const short = await shop.subscriber();
    const long = await shop.subscriber({ trial_days: 10 });
    const announced = (id: string) => eventsOf(id, 'customer.subscription.trial_will_end');
    expect(await announced(short.subscription)).toHaveLength(1);
    expect(await announced(long.subscription)).toHaveLength(0);
    await shop.advance(7 * DAY + 1);
    expect(await announced(long.subscription)).toHaveLength(1);
    await shop.advance(2 * DAY);
    expect(await announced(long.subscription)).toHaveLength(1);
  });

  it('can be ended early, charging immediately', async () => {
    const { subscription } = await shop.subscriber();
    const updated = await stripe.subscriptions.update(subscription, {
      trial_end: 'now',
      expand: ['latest_invoice'],
    });
    expect(updated).toMatchObject({
      status: 'active',
      trial_end: updated.billing_cycle_anchor,
      latest_invoice: { status: 'paid', amount_paid: 499, billing_reason: 'subscription_update' },
    });
    expect(updated.items.data[0]!.current_period_start).toBe(updated.trial_end);
    await shop.advance(4 * DAY);
    expect(await invoicesOf(subscription)).toHaveLength(2);
  });

  it('ended early with a declined card becomes past due, or stays unchanged with error_if_incomplete', async () => {
    const { subscription } = await shop.subscriber({ card: LATE });
    const strict = stripe.subscriptions.update(subscription, {
      trial_end: 'now',
      payment_behavior: 'error_if_incomplete',
    });
    await expect(strict).rejects.toMatchObject({
      type: 'StripeCardError',
      decline_code: 'generic_decline',
    });
    expect((await stripe.subscriptions.retrieve(subscription)).status).toBe('trialing');
    const loose = await stripe.subscriptions.update(subscription, { trial_end: 'now' });
    expect(loose.status).toBe('past_due');
  });

  it('that is set to cancel is never charged', async () => {
    const { subscription, customer } = await shop.subscriber();
    await stripe.subscriptions.update(subscription, { cancel_at_period_end: true });
    await shop.advance(3 * DAY + 2 * HOUR);
    expect((await stripe.subscriptions.retrieve(subscription)).status).toBe('canceled');
    expect((await stripe.charges.list({ customer })).data).toEqual([]);
    await shop.hook('customer.subscription.deleted', ({ id }) => id === subscription);
  });
});

describe('renewal', () => {
  it('happens each month on the anchor day, and is charged an hour later', async () => {
    const { subscription, customer } = await shop.subscriber({ trial_days: null });
    const first = await stripe.subscriptions.retrieve(subscription);
    for (let month = 1; month <= 3; month += 1) {
      const { items } = await stripe.subscriptions.retrieve(subscription);
      await shop.advance(items.data[0]!.current_period_end - shop.now() + HOUR);
    }
    const invoices = await invoicesOf(subscription);
    expect(invoices.map((invoice) => invoice.amount_paid)).toEqual([499, 499, 499, 499]);
    expect((await stripe.charges.list({ customer })).data).toHaveLength(4);
    const day = (at: number) => new Date(at * 1000).getUTCDate();
    const last = await stripe.subscriptions.retrieve(subscription);
    expect(last.billing_cycle_anchor).toBe(first.billing_cycle_anchor);
    expect([day(first.billing_cycle_anchor), 28, 29, 30]).toContain(
      day(last.items.data[0]!.current_period_start),
    );
  });

  it('happens each year for a yearly plan', async () => {
    const { subscription } = await shop.subscriber({ price: shop.yearly.id });
    await shop.advance(3 * DAY + HOUR);
    await shop.advance(364 * DAY);
    expect(await invoicesOf(subscription)).toHaveLength(2);
    await shop.advance(2 * DAY);
    const [latest] = await invoicesOf(subscription);
    expect(latest).toMatchObject({ amount_paid: 4999, billing_reason: 'subscription_cycle' });
  });
});

describe('a payment that fails', () => {
  it('is tried after 3, 5 and 7 days, and ends the subscription after the last', async () => {
    const { subscription, customer } = await shop.subscriber({ card: LATE });
    await shop.advance(3 * DAY + HOUR);
    const startedAt = shop.now();
    const attempts = async () => {
      const [invoice] = await invoicesOf(subscription);
      const { status } = await stripe.subscriptions.retrieve(subscription);
      return [invoice!.attempt_count, invoice!.next_payment_attempt, status];
    };
    const [count, next, status] = await attempts();
    expect([count, status]).toEqual([1, 'past_due']);
    expect(Math.abs((next as number) - startedAt - 3 * DAY)).toBeLessThan(5);
    await shop.advance(3 * DAY);
    expect(await attempts()).toMatchObject([2, expect.any(Number), 'past_due']);
    await shop.advance(5 * DAY);
    expect(await attempts()).toMatchObject([3, expect.any(Number), 'past_due']);
    await shop.advance(7 * DAY);
    expect(await attempts()).toEqual([4, null, 'canceled']);
    const ended = await stripe.subscriptions.retrieve(subscription);
    expect(ended.cancellation_details?.reason).toBe('payment_failed');
    const [invoice] = await invoicesOf(subscription);
    expect(await eventsOf(invoice!.id, 'invoice.payment_failed')).toHaveLength(4);
    const charges = await stripe.charges.list({ customer });
    expect(charges.data.map((charge) => charge.status)).toEqual(Array(4).fill('failed'));
    expect(await eventsOf(subscription, 'customer.subscription.deleted')).toHaveLength(1);
    await shop.advance(40 * DAY);
    expect(await invoicesOf(subscription)).toHaveLength(2);
  });

  it('that the bank wants confirmed requires action', async () => {
    const { subscription } = await shop.subscriber({ card: '4000002760003184' });
    await shop.advance(3 * DAY + HOUR);
    const [invoice] = await invoicesOf(subscription);
    expect(await eventsOf(invoice!.id, 'invoice.payment_action_required')).toHaveLength(1);
    expect((await stripe.subscriptions.retrieve(subscription)).status).toBe('past_due');
  });

  it('follows the retry days of the dial', async () => {
    await shop.test.post('/sandbox/faults', { stripe: { retry_days: [] } });
    const { subscription } = await shop.subscriber({ card: LATE });
    await shop.advance(3 * DAY + HOUR);
    expect((await stripe.subscriptions.retrieve(subscription)).status).toBe('canceled');
    await shop.test.post('/sandbox/faults', { reset: true });
  });
});

describe('cancellation', () => {
  it('at the period end can be undone, and happens then', async () => {
    const { subscription } = await shop.subscriber({ trial_days: null });
    const planned = await stripe.subscriptions.update(subscription, { cancel_at_period_end: true });
    const end = planned.items.data[0]!.current_period_end;
    expect(planned).toMatchObject({ status: 'active', cancel_at: end, cancel_at_period_end: true });
    const undone = await stripe.subscriptions.update(subscription, { cancel_at_period_end: false });
    expect(undone).toMatchObject({
      cancel_at: null,
      cancel_at_period_end: false,
      canceled_at: null,
    });
    await stripe.subscriptions.update(subscription, { cancel_at: end });
    const cleared = await stripe.subscriptions.update(subscription, { cancel_at: '' });
    expect(cleared.cancel_at).toBeNull();
    await stripe.subscriptions.update(subscription, { cancel_at_period_end: true });
    await shop.advance(end - shop.now());
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({
      status: 'canceled',
      ended_at: end,
    });
    expect(await invoicesOf(subscription)).toHaveLength(1);
  });

  it('now ends the plan immediately and stops its invoices', async () => {
    const { subscription, customer } = await shop.subscriber();
    await shop.advance(3 * DAY);
    const canceled = await stripe.subscriptions.cancel(subscription);
    expect(canceled).toMatchObject({ status: 'canceled', ended_at: canceled.canceled_at });
    await shop.advance(DAY);
    expect((await stripe.charges.list({ customer })).data).toEqual([]);
    await expect(stripe.subscriptions.cancel(subscription)).rejects.toMatchObject({
      code: 'resource_missing',
    });
    const update = stripe.subscriptions.update(subscription, { cancel_at_period_end: true });
    await expect(update).rejects.toMatchObject({ statusCode: 400 });
  });

  it('by deleting the customer ends everything', async () => {
    const { subscription, customer } = await shop.subscriber();
    expect((await stripe.customers.del(customer)).deleted).toBe(true);
    expect((await stripe.subscriptions.retrieve(subscription)).status).toBe('canceled');
    expect(await stripe.customers.retrieve(customer)).toEqual(
      expect.objectContaining({ id: customer, deleted: true }),
    );
  });
});
