import { randomUUID } from 'node:crypto';
import type Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startBilling, type TestBilling } from '../../test/harness.ts';

let test: TestBilling;
beforeAll(async () => {
  test = await startBilling();
});
afterAll(() => test.stop());
beforeEach(() => test.faults({}));

async function statusOf(sessionId: string) {
  const response = await test.app.inject(`/payments/status/${sessionId}`);
  return { status: response.statusCode, body: response.json() };
}

const paidTrial = { payment_status: 'paid', trial: true };

describe('GET /payments/status/:session_id', () => {
  it('reports a trial as paid and grants it before any webhook', async () => {
    await test.faults({ webhook: { drop: 1 } });
    const facts = await test.signUp();
    const { body } = await test.checkOut(facts);
    expect((await statusOf(body.session_id)).body).toEqual({
      payment_status: 'pending',
      open: true,
    });
    await test.pay(body.session_id);
    expect(await test.states(facts.user_id)).toEqual([]);
    expect(await statusOf(body.session_id)).toEqual({
      status: 200,
      body: paidTrial,
    });
    expect(await test.state(facts.user_id)).toMatchObject({ status: 'trial', entitled: true });
  });

  it.each(['paid', 'no_payment_required'] as const)(
    'treats a trial as paid that the provider reports as %s',
    async (trial_payment_status) => {
      await test.faults({ stripe: { trial_payment_status } });
      const { body } = await test.checkOut(await test.signUp());
      await test.pay(body.session_id);
      expect((await statusOf(body.session_id)).body).toEqual(paidTrial);
    },
  );

  it('reports whether a plan starts paid, after an earlier trial of the person or card', async () => {
    const first = await test.subscribe({}, '5555555555554444');
    await test.prove(first);
    const samePhone = await test.checkOut(await test.signUp({ phone_hash: first.phone_hash }));
    await test.pay(samePhone.body.session_id);
    const sameCard = await test.checkOut(await test.signUp());
    await test.pay(sameCard.body.session_id, '5555555555554444');
    for (const { body } of [samePhone, sameCard])
      expect((await statusOf(body.session_id)).body).toEqual({
        payment_status: 'paid',
        trial: false,
      });
  });

  it('reports a paid start as one after staff have given free days', async () => {
    const card = '5555555555554444';
    await test.prove(await test.subscribe({}, card));
    const facts = await test.signUp();
    const { session_id } = (await test.checkOut(facts)).body;
    await test.pay(session_id, card);
    await test.settle();
    const start = (await statusOf(session_id)).body;
    const given = await test.app.inject({
      method: 'POST',
      url: `/admin/subscriptions/${facts.user_id}/free-days`,
      headers: test.as({
        ...{ kind: 'admin', admin_id: randomUUID(), username: 'olive' },
        ...{ role: 'owner', session_version: 0 },
      }),
      payload: { days: 7, reason: 'An outage', request_key: randomUUID() },
    });
    expect(given.json()).toMatchObject({ state: 'done' });
    await test.settle();
    expect(start).toEqual({ payment_status: 'paid', trial: false });
    expect((await statusOf(session_id)).body).toEqual(start);
  });

  it('reports an unpaid balance as unpaid', async () => {
    await test.faults({ stripe: { trial_payment_status: 'unpaid' } });
    const { body } = await test.checkOut(await test.signUp());
    await test.pay(body.session_id);
    expect((await statusOf(body.session_id)).body).toEqual({ payment_status: 'unpaid' });
  });

  it('creates one subscription for ten concurrent calls and the webhooks', async () => {
    const facts = await test.signUp();
    const { body } = await test.checkOut(facts);
    await Promise.all([
      test.pay(body.session_id),
      ...Array.from({ length: 10 }, () => statusOf(body.session_id)),
    ]);
    await test.settle();
    const states = await test.states(facts.user_id);
    expect(states.map((state) => state.version)).toEqual([1]);
    expect((await statusOf(body.session_id)).body).toEqual(paidTrial);
  });

  it('reports a closed page as expired', async () => {
    const facts = await test.signUp();
    const { body } = await test.checkOut(facts);
    await test.deps.stripe.checkout.sessions.expire(body.session_id);
    expect((await statusOf(body.session_id)).body).toEqual({ payment_status: 'expired' });
  });

  it('returns 404 for foreign sessions without asking the provider', async () => {
    const price = await test.deps.prices.find('monthly', 'usd');
    const foreign: Stripe.Checkout.Session = await test.deps.stripe.checkout.sessions.create({
      mode: 'subscription',
      line_items: [{ price, quantity: 1 }],
      success_url: 'http://elsewhere.test',
    });
    expect((await statusOf(foreign.id)).status).toBe(404);
    for (const id of ['cs_test_a1b2c3d4e5f6g7h8', 'cs_test_unknown', 'nothing', "1';drop", '..%2f'])
      expect([id, (await statusOf(id)).status]).toEqual([id, 404]);
    expect((await statusOf('cs_test_%00aaaaaaaaaa')).status).toBe(400);
  });

  it('responds 503, never failed, while the provider is down', async () => {
    const { body } = await test.checkOut(await test.signUp());
    await test.pay(body.session_id);
    await test.settle();
    const open = await test.checkOut(await test.signUp());
    await test.faults({ stripe_down: true });
    const response = await statusOf(open.body.session_id);
    expect(response.status).toBe(503);
    expect(response.body.detail).toMatch(/try again/);
    // A payment seen as paid stays paid.
    expect((await statusOf(body.session_id)).body).toEqual(paidTrial);
  });

  it('stays pending after a declined card, and accepts another one', async () => {
    const facts = await test.signUp();
    const { body } = await test.checkOut(facts);
    await expect(test.pay(body.session_id, '4000000000000002')).rejects.toThrow(/declined/);
    expect((await statusOf(body.session_id)).body).toEqual({
      payment_status: 'pending',
      open: true,
    });
    await test.pay(body.session_id);
    expect((await statusOf(body.session_id)).body).toEqual(paidTrial);
  });
});
