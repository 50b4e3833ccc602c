import { createHmac } from 'node:crypto';
import { eventually } from '@daylift/testing/eventually';
import type Stripe from 'stripe';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Receiver, startReceiver } from '../../../test/harness.ts';
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
const eventsOf = (receiver: Receiver) =>
  receiver.hooks.map((hook) => JSON.parse(hook.rawBody) as Stripe.Event);

it('is verified by constructEvent, also when the product’s time is years away', async () => {
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

it('is pretty-printed, so that a body that is parsed and written again fails', async () => {
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

it('comes again after a 500, with the same id and a fresh signature', async () => {
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
  const event = await shop.hook('customer.created');
  await eventually(async () => (await stripe.events.retrieve(event.id)).pending_webhooks === 0, {
    what: 'the delivery to be noted',
  });
});

it('names the call that caused it, and none for what time brought', async () => {
  const made = await stripe.customers.create({}, { idempotencyKey: 'intent-1' });
  const event = await shop.hook('customer.created', ({ id }) => id === made.id);
  expect(event.request).toEqual({
    id: made.lastResponse.requestId,
    idempotency_key: 'intent-1',
  });
  await shop.subscriber();
  await shop.advance(3 * DAY);
  expect((await shop.hook('customer.subscription.updated')).request).toEqual({
    id: null,
    idempotency_key: null,
  });
});

it('can come before the answer to the call that caused it', async () => {
  await dials({ accept_then_delay_ms: { stripe: 400 } });
  let answered = false;
  const call = stripe.customers.create({ name: 'early' }).then(() => {
    answered = true;
  });
  await shop.hook('customer.created', ({ name }) => name === 'early');
  expect(answered).toBe(false);
  await call;
});

describe('what was not delivered', () => {
  it('is found by listing with delivery_success=false', async () => {
    await dials({ webhook: { drop: 1 } });
    const { customer } = await shop.subscriber();
    await dials({ reset: true });
    const found = await stripe.events.list({
      delivery_success: false,
      types: ['checkout.session.completed', 'invoice.paid'],
    });
    expect(found.data.map((event) => event.type)).toEqual([
      'checkout.session.completed',
      'invoice.paid',
    ]);
    await stripe.customers.update(customer, { name: 'Ada' });
    const seen = await shop.hook('customer.updated', ({ id }) => id === customer);
    await eventually(
      async () => {
        const delivered = await stripe.events.list({ delivery_success: true, limit: 100 });
        return delivered.data.some((event) => event.id === seen.id);
      },
      { what: 'the delivered event' },
    );
  });

  it('goes on after a restart of the sandbox', async () => {
    shop.test.receiver.answer = () => 503;
    const { id } = await stripe.customers.create({ name: 'patient' });
    await eventually(() => shop.hookTypes(id).length > 0, { what: 'a first attempt' });
    await shop.test.restart();
    shop.test.receiver.answer = () => 200;
    const before = shop.hookTypes(id).length;
    await eventually(() => shop.hookTypes(id).length > before, { what: 'one more attempt' });
    const again = stripeClient(shop.test.sandbox.address);
    const [event] = (await again.events.list({ type: 'customer.created' })).data;
    await eventually(async () => (await again.events.retrieve(event!.id)).pending_webhooks === 0, {
      what: 'the delivery to be noted',
    });
  });
});

describe('an endpoint made through the API', () => {
  it('gets what it asked for, signed with a secret that is shown once', async () => {
    const other = await startReceiver();
    const made = await stripe.webhookEndpoints.create({
      url: `${other.url}/hooks`,
      enabled_events: ['customer.created'],
      api_version: '2026-10-28.endive',
    });
    expect((await stripe.webhookEndpoints.retrieve(made.id)).secret).toBeUndefined();
    await stripe.products.create({ name: 'not asked for' });
    const { id } = await stripe.customers.create();
    await eventually(() => other.hooks.length > 0, { what: 'a webhook at the new endpoint' });
    expect(eventsOf(other).map((event) => event.type)).toEqual(['customer.created']);
    const header = other.hooks[0]!.headers['stripe-signature'] as string;
    const event = stripe.webhooks.constructEvent(other.hooks[0]!.rawBody, header, made.secret!);
    expect((event.data.object as Stripe.Customer).id).toBe(id);
    await stripe.webhookEndpoints.del(made.id);
    await stripe.customers.create();
    expect(other.hooks).toHaveLength(1);
    await other.close();
  });
});

it('state, due times and webhooks survive a restart', async () => {
  const { subscription } = await shop.subscriber();
  await shop.test.restart();
  const { deps, address } = shop.test.sandbox;
  const again = stripeClient(address);
  await deps.clock.moveTo(new Date(deps.clock.now().getTime() + (3 * DAY + 3600) * 1000));
  await deps.clock.runEngines();
  const found = await again.subscriptions.retrieve(subscription, { expand: ['latest_invoice'] });
  expect(found).toMatchObject({ status: 'active', latest_invoice: { status: 'paid' } });
});

it('a reset forgets customers, but keeps the configured endpoint', async () => {
  await shop.subscriber();
  await shop.test.post('/sandbox/reset', {});
  expect((await stripe.customers.list()).data).toEqual([]);
  expect((await stripe.events.list()).data).toEqual([]);
  const endpoints = await stripe.webhookEndpoints.list();
  expect(endpoints.data).toMatchObject([{ id: 'we_configured', status: 'enabled' }]);
  const { id } = await stripe.customers.create();
  await shop.hook('customer.created', (object) => object.id === id);
});
