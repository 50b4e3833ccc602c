import { randomUUID } from 'node:crypto';
import { hourMs } from '@daylift/clock/durations';
import type Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { origin, startBilling, type TestBilling } from '../../test/harness.ts';

let test: TestBilling;
beforeAll(async () => {
  test = await startBilling();
});
afterAll(() => test.stop());
beforeEach(() => test.faults({}));

async function sessionsOf(userId: string): Promise<Stripe.Checkout.Session[]> {
  const { data } = await test.deps.stripe.checkout.sessions.list({ limit: 100 });
  return data.filter((session) => session.client_reference_id === userId);
}

describe('POST /payments/create-checkout', () => {
  it('opens a page with a three-day trial that returns to the page it came from', async () => {
    const facts = await test.signUp();
    const { status, body } = await test.checkOut(facts);
    expect([status, body.trial_days]).toEqual([200, 3]);
    const [session] = await sessionsOf(facts.user_id);
    expect(session).toMatchObject({
      id: body.session_id,
      url: body.url,
      success_url: `${origin}/success?session_id={CHECKOUT_SESSION_ID}`,
      cancel_url: `${origin}/signup?plan=monthly`,
      payment_method_collection: 'always',
      metadata: { user_id: facts.user_id, plan: 'monthly' },
    });
    await test.pay(body.session_id);
    const subscriptions = await test.deps.stripe.subscriptions.list({ limit: 100 });
    const own = subscriptions.data.find((one) => one.metadata.user_id === facts.user_id);
    expect(own?.status).toBe('trialing');
    expect(own!.trial_end! - own!.trial_start!).toBe(3 * 86_400);
    expect(own?.items.data[0]?.price.unit_amount).toBe(499);
  });

  it('returns the same page for ten parallel calls', async () => {
    const facts = await test.signUp();
    const responses = await Promise.all(Array.from({ length: 10 }, () => test.checkOut(facts)));
    expect(responses.map((response) => response.status)).toEqual(Array(10).fill(200));
    expect(new Set(responses.map((response) => response.body.url)).size).toBe(1);
    expect(await sessionsOf(facts.user_id)).toHaveLength(1);
  });

  it('closes the page of the plan chosen before', async () => {
    const facts = await test.signUp();
    const monthly = await test.checkOut(facts);
    const yearly = await test.checkOut(facts, { plan: 'yearly' });
    expect(yearly.body.session_id).not.toBe(monthly.body.session_id);
    const sessions = await sessionsOf(facts.user_id);
    expect(sessions.map((one) => one.status).sort()).toEqual(['expired', 'open']);
    const repeated = await test.checkOut(facts, { plan: 'yearly' });
    expect(repeated.body).toEqual(yearly.body);
  });

  it('leaves at most one page open for two concurrent plans', async () => {
    const facts = await test.signUp();
    const plans = Array.from({ length: 6 }, (_, n) => (n % 2 === 0 ? 'monthly' : 'yearly'));
    const responses = await Promise.all(plans.map((plan) => test.checkOut(facts, { plan })));
    expect(responses.every((response) => response.status === 200)).toBe(true);
    const open = (await sessionsOf(facts.user_id)).filter((one) => one.status === 'open');
    expect(open).toHaveLength(1);
  });

  it('reads the signup from accounts if its event has not arrived', async () => {
    const facts = await test.signUp();
    const early = { ...facts, user_id: randomUUID() };
    test.signupsAtAccounts.set(early.user_id, early);
    expect((await test.checkOut(early)).status).toBe(200);
  });

  it('returns 404 for an unknown or deleted signup', async () => {
    expect((await test.checkOut({ user_id: randomUUID() })).status).toBe(404);
    const facts = await test.signUp();
    await test.hear('accounts', 'accounts.user.deleted', { user_id: facts.user_id });
    expect((await test.checkOut(facts)).status).toBe(404);
  });

  it.each([
    ['another site', { origin_url: 'https://evil.test' }],
    ['a look-alike', { origin_url: `${origin}.evil.test` }],
    ['user info', { origin_url: 'http://pages.test@evil.test' }],
    ['a script', { origin_url: 'javascript:alert(1)' }],
    ['a path', { origin_url: `${origin}/somewhere` }],
    ['no such plan', { plan: 'weekly' }],
    ['an id that is none', { subscription_id: '42' }],
    ['a field too many', { price: 1 }],
    ['a missing plan', { plan: undefined }],
  ])('responds 400 to %s', async (_name, change) => {
    const facts = await test.signUp();
    const { status, body } = await test.checkOut(facts, change);
    expect(status).toBe(400);
    expect(body.detail).toMatch(/\w{3}/);
    expect(await sessionsOf(facts.user_id)).toHaveLength(0);
  });

  it('tells a subscriber to sign in, and never opens a second payment page', async () => {
    const facts = await test.subscribe();
    const visitor = await test.checkOut(facts);
    expect(visitor.status).toBe(409);
    expect(visitor.body.detail).toBe('This account already has a subscription. Please sign in.');
    const stranger = await test.checkOut(facts, {}, test.asUser(randomUUID()));
    expect(stranger.status).toBe(409);
    const owner = await test.checkOut(facts, {}, test.asUser(facts.user_id));
    expect(owner.status).toBe(409);
  });

  it('accepts a signup of two days ago only from its owner', async () => {
    const registered_at = new Date(test.deps.clock.now().getTime() - 48 * hourMs).toISOString();
    const facts = await test.signUp({ registered_at });
    expect((await test.checkOut(facts)).status).toBe(409);
    expect((await test.checkOut(facts, {}, test.asUser(facts.user_id))).status).toBe(200);
  });

  it('starts paid for a person who already had a trial', async () => {
    const first = await test.subscribe();
    await test.prove(first);
    const second = await test.signUp({ phone_hash: first.phone_hash });
    const { body } = await test.checkOut(second);
    expect(body.trial_days).toBe(0);
    await test.pay(body.session_id, '5555555555554444');
    await test.settle();
    expect((await test.state(second.user_id))?.status).toBe('active');
  });

  it('responds 503 while the provider is down, and works again afterwards', async () => {
    const facts = await test.signUp();
    await test.faults({ stripe_down: true });
    const down = await test.checkOut(facts);
    expect(down.status).toBe(503);
    expect(down.body.detail).toMatch(/try again/);
    await test.faults({});
    expect((await test.checkOut(facts)).status).toBe(200);
    expect(await sessionsOf(facts.user_id)).toHaveLength(1);
  });

  it('finds the page that was opened before a response was lost', async () => {
    const facts = await test.signUp();
    await test.faults({ accept_then_drop: { stripe: 1, telnyx: 0 } });
    const lost = await test.checkOut(facts);
    await test.faults({});
    const found = await test.checkOut(facts);
    expect([lost.status, found.status]).toEqual([503, 200]);
    expect(await sessionsOf(facts.user_id)).toHaveLength(1);
    const customers = await test.deps.stripe.customers.list({ email: facts.email });
    expect(customers.data).toHaveLength(1);
  });
});

describe('GET /plans', () => {
  it('returns the catalogue to everyone, cached for a minute', async () => {
    const response = await test.app.inject('/plans');
    expect(response.json()).toMatchObject({ product_name: 'Daylift', trial_days: 3 });
    expect(response.headers['cache-control']).toBe('public, max-age=60');
  });
});

it('keeps one product with one price per plan at the provider', async () => {
  const { data: prices } = await test.deps.stripe.prices.list({ active: true });
  expect(prices.map((price) => [price.lookup_key, price.unit_amount]).sort()).toEqual([
    ['monthly_499_usd', 499],
    ['yearly_4999_usd', 4999],
  ]);
  expect(new Set(prices.map((price) => price.product)).size).toBe(1);
});

it('opens a page before the prices are known, as in a new process', async () => {
  const facts = await test.signUp();
  test.deps.prices.forget();
  expect((await test.checkOut(facts)).status).toBe(200);
});
