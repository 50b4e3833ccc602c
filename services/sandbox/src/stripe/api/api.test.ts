import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openShop, type Shop, stripeClient } from '../../../test/stripe-shop.ts';

let shop: Shop;
let stripe: Stripe;
let address: string;
beforeAll(async () => {
  shop = await openShop();
  stripe = shop.stripe;
  address = shop.test.sandbox.address;
});
afterAll(() => shop.close());

const unknown = { type: 'StripeInvalidRequestError', code: 'parameter_unknown', statusCode: 400 };
const faults = (body: object) => shop.test.post('/sandbox/faults', body);

describe('access', () => {
  it('rejects a wrong or missing key with 401', async () => {
    const { hostname, port } = new URL(address);
    const stranger = new Stripe('sk_test_other', { host: hostname, port, protocol: 'http' });
    await expect(stranger.customers.list()).rejects.toMatchObject({
      type: 'StripeAuthenticationError',
      statusCode: 401,
    });
    expect((await fetch(`${address}/v1/customers`)).status).toBe(401);
  });

  it('rejects any API version but the pinned one', async () => {
    const response = await fetch(`${address}/v1/customers`, {
      headers: { authorization: 'Bearer sk_test_sandbox', 'stripe-version': '2024-06-20' },
    });
    expect(response.status).toBe(400);
  });

  it('gives each request an id, and returns 404 for an unknown URL', async () => {
    const customer = await stripe.customers.create({ email: 'a@example.com' });
    expect(customer.lastResponse.requestId).toMatch(/^req_/);
    await expect(stripe.rawRequest('GET', '/v1/terminal/readers')).rejects.toMatchObject({
      type: 'StripeInvalidRequestError',
      statusCode: 404,
    });
  });
});

describe('parameters', () => {
  it.each([
    ['at the top', { client_reference: 'b' }, 'client_reference'],
    ['inside a hash', { subscription_data: { zip: '1' } }, 'subscription_data[zip]'],
  ])('rejects one that is unknown %s', async (_where, params, param) => {
    await expect(shop.checkout(params as never)).rejects.toMatchObject({
      ...unknown,
      param,
    });
  });

  it('rejects payment_method_types on a checkout, as the pinned version does', async () => {
    const params = { payment_method_types: ['card'] } as never;
    await expect(shop.checkout(params)).rejects.toMatchObject({
      ...unknown,
      param: 'payment_method_types',
    });
  });

  it('are rejected if unknown in the query of GET and DELETE', async () => {
    const { subscription } = await shop.subscriber();
    await expect(stripe.customers.list({ phone: '1' } as never)).rejects.toMatchObject(unknown);
    const cancel = stripe.subscriptions.cancel(subscription, { at_period_end: true } as never);
    await expect(cancel).rejects.toMatchObject(unknown);
  });

  it.each([
    ['a missing one', () => stripe.prices.create({ product: 'x' } as never), 'parameter_missing'],
    [
      'an integer that is none',
      () => stripe.customers.create({ balance: 'x', address: '' } as never),
      'parameter_unknown',
    ],
    [
      'an amount that is no integer',
      () => stripe.customers.createBalanceTransaction('cus_x', { amount: 1.5, currency: 'usd' }),
      'parameter_invalid_integer',
    ],
    ['an empty one', () => stripe.products.create({ name: '' }), 'parameter_invalid_empty'],
  ])('rejects %s with its code', async (_what, call, code) => {
    await expect(call()).rejects.toMatchObject({ statusCode: 400, code });
  });

  it('set, change and clear metadata key by key', async () => {
    const { id } = await stripe.customers.create({ name: 'x', metadata: { a: '1', b: '2' } });
    const changed = await stripe.customers.update(id, { metadata: { a: '', c: '3' } });
    expect(changed.metadata).toEqual({ b: '2', c: '3' });
    expect((await stripe.customers.update(id, { metadata: '' })).metadata).toEqual({});
  });

  it('return 404 for an unknown id in the path, and 400 in a parameter', async () => {
    await expect(stripe.customers.retrieve('cus_x')).rejects.toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
      param: 'id',
      message: "No such customer: 'cus_x'",
    });
    await expect(shop.checkout({ customer: 'cus_x' })).rejects.toMatchObject({
      statusCode: 400,
      code: 'resource_missing',
      param: 'customer',
    });
  });
});

describe('shapes', () => {
  it('have no fields that the pinned version removed', async () => {
    const { subscription } = await shop.subscriber();
    const found = await stripe.subscriptions.retrieve(subscription, {
      expand: ['latest_invoice'],
    });
    const invoice = found.latest_invoice as Stripe.Invoice;
    expect(found).not.toHaveProperty('current_period_end');
    expect(found.items.data[0]!.current_period_end).toBe(found.trial_end);
    for (const removed of ['subscription', 'paid', 'payment_intent', 'charge', 'tax']) {
      expect(invoice).not.toHaveProperty(removed);
    }
    expect(invoice.parent?.subscription_details?.subscription).toBe(subscription);
    expect(invoice.lines.data[0]).not.toHaveProperty('price');
  });
});

describe('expand', () => {
  it('replaces ids with objects along a path, through lists and up to four levels deep', async () => {
    const { customer } = await shop.subscriber({ trial_days: null });
    const list = await stripe.subscriptions.list({
      customer,
      expand: ['data.latest_invoice.payments.data.payment.payment_intent', 'data.customer'],
    });
    const found = list.data[0]!;
    const invoice = found.latest_invoice as Stripe.Invoice;
    const intent = invoice.payments!.data[0]!.payment.payment_intent as Stripe.PaymentIntent;
    expect((found.customer as Stripe.Customer).email).toBe('ada@example.com');
    expect(intent).toMatchObject({ object: 'payment_intent', amount: 499, status: 'succeeded' });
  });

  it('rejects properties that cannot be expanded', async () => {
    const { subscription } = await shop.subscriber();
    for (const path of ['status', 'nothing', 'customer.a.b.c.d']) {
      const call = stripe.subscriptions.retrieve(subscription, { expand: [path] });
      await expect(call).rejects.toMatchObject({ statusCode: 400, param: 'expand' });
    }
  });
});

describe('lists', () => {
  it('auto-page newest first, each object once', async () => {
    const created: string[] = [];
    for (let n = 0; n < 23; n += 1) {
      created.push((await stripe.customers.create({ email: 'many@example.com' })).id);
    }
    const seen: string[] = [];
    for await (const customer of stripe.customers.list({ email: 'many@example.com', limit: 5 })) {
      seen.push(customer.id);
    }
    expect(seen).toEqual(created.reverse());
  });

  it('can be filtered by creation time', async () => {
    await shop.advance(100);
    const since = shop.now();
    const { id } = await stripe.customers.create();
    const found = await stripe.customers.list({ created: { gte: since } });
    expect(found.data.map((each) => each.id)).toEqual([id]);
    expect((await stripe.customers.list({ created: { lt: since }, limit: 100 })).data).not.toEqual(
      expect.arrayContaining([expect.objectContaining({ id })]),
    );
  });
});

describe('idempotency keys', () => {
  it('repeat the first response without a second effect', async () => {
    const options = { idempotencyKey: 'k-replay' };
    const first = await stripe.customers.create({ email: 'once@example.com' }, options);
    const repeated = await stripe.customers.create({ email: 'once@example.com' }, options);
    expect(repeated.id).toBe(first.id);
    expect(repeated.lastResponse.headers['idempotent-replayed']).toBe('true');
    expect((await stripe.customers.list({ email: 'once@example.com' })).data).toHaveLength(1);
  });

  it('are rejected with other parameters', async () => {
    const options = { idempotencyKey: 'k-mismatch' };
    await stripe.customers.create({ email: 'a@example.com' }, options);
    await expect(
      stripe.customers.create({ email: 'b@example.com' }, options),
    ).rejects.toMatchObject({ type: 'StripeIdempotencyError', statusCode: 400 });
  });

  it('are rejected with 409 while the first request is in flight, and replay after it', async () => {
    const once = stripeClient(address, { maxNetworkRetries: 0 });
    await faults({ accept_then_delay_ms: { stripe: 300 } });
    const options = { idempotencyKey: 'k-flight' };
    const calls = Array.from({ length: 5 }, () =>
      once.customers.create({ email: 'flight@example.com' }, options),
    );
    const results = await Promise.allSettled(calls);
    await faults({ reset: true });
    const refusals = results.filter((each) => each.status === 'rejected');
    expect(refusals).toHaveLength(4);
    expect(refusals.every(({ reason }) => reason.statusCode === 409)).toBe(true);
    await once.customers.create({ email: 'flight@example.com' }, options);
    expect((await stripe.customers.list({ email: 'flight@example.com' })).data).toHaveLength(1);
  });

  it('keep the result of a request that started and failed, but not of rejected parameters', async () => {
    const began = { idempotencyKey: 'k-failed' };
    const update = stripe.customers.update('cus_x', {}, began);
    await expect(update).rejects.toMatchObject({ statusCode: 404 });
    const replay = await fetch(`${address}/v1/customers/cus_x`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk_test_sandbox', 'idempotency-key': 'k-failed' },
    });
    expect(replay.headers.get('idempotent-replayed')).toBe('true');
    const refused = { idempotencyKey: 'k-refused' };
    await expect(stripe.customers.create({ nope: 1 } as never, refused)).rejects.toMatchObject(
      unknown,
    );
    expect((await stripe.customers.create({ name: 'Ada' }, refused)).name).toBe('Ada');
  });

  it('let the SDK retry after a lost response', async () => {
    await faults({ accept_then_drop: { stripe: 1 } });
    const once = stripeClient(address, { maxNetworkRetries: 0 });
    const options = { idempotencyKey: 'k-lost' };
    const lost = once.customers.create({ email: 'lost@example.com' }, options);
    await expect(lost).rejects.toMatchObject({ type: 'StripeConnectionError' });
    await faults({ reset: true });
    const found = await stripe.customers.create({ email: 'lost@example.com' }, options);
    expect((await stripe.customers.list({ email: 'lost@example.com' })).data).toEqual([
      expect.objectContaining({ id: found.id }),
    ]);
  });

  it('survive a restart', async () => {
    const options = { idempotencyKey: 'k-restart' };
    const first = await stripe.customers.create({ name: 'Grace' }, options);
    await shop.test.restart();
    address = shop.test.sandbox.address;
    stripe = stripeClient(address);
    expect((await stripe.customers.create({ name: 'Grace' }, options)).id).toBe(first.id);
  });
});

describe('faults', () => {
  it('respond to rate_limit with a 429 that the SDK does not retry', async () => {
    await faults({ error: { stripe: { rate: 1, code: 'rate_limit' } } });
    await expect(stripe.customers.list()).rejects.toMatchObject({
      type: 'StripeRateLimitError',
      statusCode: 429,
    });
    await faults({ reset: true });
  });
});
