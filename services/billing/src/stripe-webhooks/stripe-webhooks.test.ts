import Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { journeyMs, startBilling, type TestBilling } from '../../test/harness.ts';
import { webhookSecret } from '../../test/sandbox.ts';

vi.setConfig({ testTimeout: journeyMs });
let test: TestBilling;
beforeAll(async () => {
  test = await startBilling({ repairs: true });
});
afterAll(() => test.stop());
beforeEach(() => test.faults({}));

const event = (change: object = {}) => ({
  id: `evt_${crypto.randomUUID().replaceAll('-', '')}`,
  object: 'event',
  api_version: '2026-10-28.endive',
  created: 1_800_000_000,
  type: 'customer.subscription.updated',
  data: { object: { id: 'sub_unknown', object: 'subscription' } },
  ...change,
});

interface Sent {
  body?: string;
  secret?: string;
  timestamp?: number;
  header?: string;
  contentType?: string;
}

async function send(payload: string, change: Sent = {}): Promise<number> {
  const header =
    change.header ??
    Stripe.webhooks.generateTestHeaderString({
      payload,
      secret: change.secret ?? webhookSecret,
      timestamp: change.timestamp ?? Math.floor(Date.now() / 1000),
    });
  const response = await test.app.inject({
    method: 'POST',
    url: '/webhooks/stripe',
    headers: {
      'content-type': change.contentType ?? 'application/json; charset=utf-8',
      'stripe-signature': header,
    },
    payload: change.body ?? payload,
  });
  return response.statusCode;
}

async function counts() {
  const [events, tasks] = await Promise.all([
    test.db.selectFrom('stripe_events').select('id').execute(),
    test.db.selectFrom('provider_tasks').select('subject').execute(),
  ]);
  return [events.length, tasks.length];
}

describe('POST /webhooks/stripe', () => {
  it('stores a signed event before it responds, and a repeated one only once', async () => {
    const one = event();
    const payload = JSON.stringify(one, null, 2);
    expect(await send(payload)).toBe(200);
    const [events] = await counts();
    expect(await Promise.all(Array.from({ length: 5 }, () => send(payload)))).toEqual(
      Array(5).fill(200),
    );
    expect((await counts())[0]).toBe(events);
    await test.settle();
  });

  it.each([
    ['another secret', { secret: 'whsec_other' }],
    ['a stale signature', { timestamp: Math.floor(Date.now() / 1000) - 301 }],
    ['a body that was changed', { body: JSON.stringify(event()) }],
    ['a body in another shape', { body: JSON.stringify(event(), null, 1) }],
    ['no signature', { header: '' }],
    ['a signature that is none', { header: 't=1,v1=00' }],
  ] as const)('rejects %s and changes nothing', async (_name, change) => {
    const before = await counts();
    expect(await send(JSON.stringify(event(), null, 2), change)).toBe(400);
    expect(await counts()).toEqual(before);
  });

  it("rejects other content types, large bodies, and signed bodies that aren't JSON", async () => {
    const before = await counts();
    expect(await send('{}', { contentType: 'text/plain' })).toBe(415);
    expect(await send(JSON.stringify(event({ pad: 'x'.repeat(300_000) })))).toBe(413);
    expect(await send('not json')).toBe(400);
    expect(await counts()).toEqual(before);
  });

  it('ignores irrelevant event types, and stores none', async () => {
    const before = await counts();
    expect(await send(JSON.stringify(event({ type: 'balance.available' })))).toBe(200);
    expect(await send(JSON.stringify(event({ data: { object: { object: 'balance' } } })))).toBe(
      200,
    );
    expect(await counts()).toEqual(before);
  });

  it("stores events while the provider's API is down, and processes them afterwards", async () => {
    const facts = await test.signUp();
    const { body } = await test.checkOut(facts);
    await test.pay(body.session_id);
    await test.settle();
    const id = await stripeSubscriptionOf(facts.user_id);
    await test.deps.stripe.subscriptions.update(id, { cancel_at_period_end: true });
    await test.faults({ stripe_down: true });
    const payload = JSON.stringify(event({ data: { object: { id } } }));
    expect(await send(payload)).toBe(200);
    await test.faults({});
    await test.advance(1);
    expect(await test.state(facts.user_id)).toMatchObject({ cancel_at_period_end: true });
  });
});

async function stripeSubscriptionOf(userId: string): Promise<string> {
  const row = await test.db
    .selectFrom('subscriptions')
    .select('stripe_subscription_id')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return row.stripe_subscription_id ?? '';
}

async function atStripe(userId: string): Promise<Stripe.Subscription> {
  return test.deps.stripe.subscriptions.retrieve(await stripeSubscriptionOf(userId));
}

describe('unreliable webhooks', () => {
  it.each([
    ['doubled', { duplicate: 1, duplicate_copies: 4 }],
    ['shuffled', { reorder: 0.5 }],
    ['shuffled and doubled', { reorder: 0.5, duplicate: 0.5, duplicate_copies: 3 }],
    // Rare enough that none runs out of attempts: the last ones are half a minute apart.
    ['signed wrongly now and then', { wrong_signature: 0.3 }],
    ['half lost', { drop: 0.5 }],
    ['all lost', { drop: 1 }],
  ])("%s lead to the provider's state", async (_name, webhook) => {
    const facts = await test.signUp();
    const { body } = await test.checkOut(facts);
    await test.faults({ webhook });
    await test.pay(body.session_id);
    await test.advance(1);
    expect(await test.state(facts.user_id)).toMatchObject({ status: 'trial', entitled: true });
    await test.deps.stripe.subscriptions.update(await stripeSubscriptionOf(facts.user_id), {
      trial_end: 'now',
    });
    await test.advance(2);
    const last = await test.state(facts.user_id);
    const truth = await atStripe(facts.user_id);
    expect(last).toMatchObject({ status: 'active', entitled: true, cancel_at_period_end: false });
    expect(last?.current_period_end).toBe(
      new Date(truth.items.data[0]!.current_period_end * 1000).toISOString(),
    );
    await test.deps.stripe.subscriptions.cancel(truth.id);
    await test.advance(1);
    const states = await test.states(facts.user_id);
    expect(states.at(-1)).toMatchObject({ status: 'canceled', entitled: false });
    expect(states.map((state) => state.version)).toEqual(states.map((_, n) => n + 1));
  });

  it('recovers a whole day of lost events', async () => {
    const facts = await test.signUp();
    const { body } = await test.checkOut(facts);
    await test.faults({ webhook: { drop: 1 } });
    await test.pay(body.session_id);
    await test.advance(24 * 4);
    expect(await test.state(facts.user_id)).toMatchObject({ status: 'active' });
    const paid = await test.db
      .selectFrom('invoices')
      .select('amount_paid_cents')
      .where('user_id', '=', facts.user_id)
      .where('amount_paid_cents', '>', 0)
      .execute();
    expect(paid).toEqual([{ amount_paid_cents: 499 }]);
  });
});
