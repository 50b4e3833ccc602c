import { createHmac } from 'node:crypto';
import { eventually } from '@daylift/testing/eventually';
import type Stripe from 'stripe';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  DAY,
  openShop,
  type Shop,
  stripeClient,
  WEBHOOK_SECRET,
} from '../../../test/stripe-shop.ts';

let shop: Shop;
let stripe: Stripe;
beforeEach(async () => {
  shop = await openShop();
  stripe = shop.stripe;
});
afterEach(() => shop.close());

const dials = (body: object) => shop.test.post('/sandbox/faults', body);
const createdEvent = async (client: Stripe) =>
  (await client.events.list({ type: 'customer.created' })).data[0]!;

it('passes constructEvent, even if product time is years ahead', async () => {
  await shop.advance(800 * DAY);
  const { customer } = await shop.subscriber();
  const event = await shop.hook('customer.created', ({ id }) => id === customer);
  expect(event).toMatchObject({
    object: 'event',
    api_version: '2026-10-28.endive',
    livemode: false,
    pending_webhooks: 1,
  });
  expect(Math.abs(event.created - shop.now())).toBeLessThan(10);
});

it('is pretty-printed, so a reserialized body fails verification', async () => {
  await shop.subscriber();
  const [hook] = shop.test.receiver.hooks;
  expect(hook!.headers['content-type']).toBe('application/json; charset=utf-8');
  const header = hook!.headers['stripe-signature'] as string;
  const rewritten = JSON.stringify(JSON.parse(hook!.rawBody));
  expect(() => stripe.webhooks.constructEvent(rewritten, header, WEBHOOK_SECRET)).toThrow(
    /signature/,
  );
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header)!;
  const own = createHmac('sha256', WEBHOOK_SECRET).update(`${t}.${hook!.rawBody}`).digest('hex');
  expect(v1).toBe(own);
});

it('is retried after a 500, with the same id and a new signature', async () => {
  const failed = new Set<string>();
  shop.test.receiver.answer = (hook) => {
    const { id } = JSON.parse(hook.rawBody) as Stripe.Event;
    const first = !failed.has(id);
    failed.add(id);
    return first ? 500 : 200;
  };
  const { id } = await stripe.customers.create({ email: 'again@example.com' });
  await eventually(
    () => shop.hookTypes(id).filter((type) => type === 'customer.created').length === 2,
    { what: 'the second attempt' },
  );
  await eventually(async () => (await createdEvent(stripe)).pending_webhooks === 0, {
    what: 'the delivery to be noted',
  });
});

it('names the request that caused it, or none if time did', async () => {
  const created = await stripe.customers.create({}, { idempotencyKey: 'intent-1' });
  const event = await shop.hook('customer.created', ({ id }) => id === created.id);
  expect(event.request).toEqual({
    id: created.lastResponse.requestId,
    idempotency_key: 'intent-1',
  });
  await shop.subscriber();
  await shop.advance(3 * DAY);
  expect((await shop.hook('customer.subscription.updated')).request).toEqual({
    id: null,
    idempotency_key: null,
  });
});

it('can arrive before the response to the request that caused it', async () => {
  await dials({ accept_then_delay_ms: { stripe: 400 } });
  let answered = false;
  const call = stripe.customers.create({ name: 'early' }).then(() => {
    answered = true;
  });
  await shop.hook('customer.created', ({ name }) => name === 'early');
  expect(answered).toBe(false);
  await call;
});

describe('an undelivered event', () => {
  it('is in the list of events', async () => {
    await dials({ webhook: { drop: 1 } });
    const { customer } = await shop.subscriber();
    await dials({ reset: true });
    const found = await stripe.events.list({
      types: ['checkout.session.completed', 'invoice.paid'],
    });
    expect(found.data.map((event) => [event.type, event.pending_webhooks])).toEqual([
      ['checkout.session.completed', 1],
      ['invoice.paid', 1],
    ]);
    await stripe.customers.update(customer, { name: 'Ada' });
    await shop.hook('customer.updated', ({ id }) => id === customer);
  });

  it('is in the list of events, even before the event of a shortened trial', async () => {
    const created = { gte: shop.now() };
    const { customer, subscription } = await shop.subscriber();
    await stripe.subscriptions.update(subscription, { trial_end: shop.now() + DAY });
    const found = await stripe.events.list({ type: 'customer.created', created });
    expect(found.data.map(({ data }) => data.object)).toMatchObject([{ id: customer }]);
  });

  it('is in the list of events if the sandbox restarts before the event of a shortened trial', async () => {
    const created = { gte: shop.now() };
    const { customer, subscription } = await shop.subscriber();
    await stripe.subscriptions.update(subscription, { trial_end: shop.now() + DAY });
    await shop.test.restart();
    const reconnected = stripeClient(shop.test.sandbox.address);
    const found = await reconnected.events.list({ type: 'customer.created', created });
    expect(found.data.map(({ data }) => data.object)).toMatchObject([{ id: customer }]);
  });

  it('is retried after a restart of the sandbox', async () => {
    shop.test.receiver.answer = () => 503;
    const { id } = await stripe.customers.create({ name: 'patient' });
    await eventually(() => shop.hookTypes(id).length > 0, { what: 'a first attempt' });
    await shop.test.restart();
    shop.test.receiver.answer = () => 200;
    const before = shop.hookTypes(id).length;
    await eventually(() => shop.hookTypes(id).length > before, { what: 'one more attempt' });
    const reconnected = stripeClient(shop.test.sandbox.address);
    await eventually(async () => (await createdEvent(reconnected)).pending_webhooks === 0, {
      what: 'the delivery to be noted',
    });
  });
});

it('state, due times and webhooks survive a restart', async () => {
  const { subscription } = await shop.subscriber();
  await shop.test.restart();
  const { deps, address } = shop.test.sandbox;
  const reconnected = stripeClient(address);
  await deps.clock.moveTo(new Date(deps.clock.now().getTime() + (3 * DAY + 3600) * 1000));
  await deps.clock.runEngines();
  const found = await reconnected.subscriptions.retrieve(subscription, {
    expand: ['latest_invoice'],
  });
  expect(found).toMatchObject({ status: 'active', latest_invoice: { status: 'paid' } });
});

it('a reset forgets customers, and later events are delivered', async () => {
  await shop.subscriber();
  await shop.test.post('/sandbox/reset', {});
  expect((await stripe.customers.list()).data).toEqual([]);
  expect((await stripe.events.list()).data).toEqual([]);
  const { id } = await stripe.customers.create();
  await shop.hook('customer.created', (object) => object.id === id);
});
