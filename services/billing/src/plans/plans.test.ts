import { randomUUID } from 'node:crypto';
import { dayMs } from '@daylift/clock/durations';
import type { PlanView } from '@daylift/contracts/billing.http';
import { publishedEvents } from '@daylift/testing/published';
import Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { failingCard, goodCard } from '../../test/cards.ts';
import { journeyMs, origin, startBilling, type TestBilling } from '../../test/harness.ts';

vi.setConfig({ testTimeout: journeyMs });
let test: TestBilling;
beforeAll(async () => {
  test = await startBilling();
});
afterAll(() => test.stop());
beforeEach(() => test.reset());

type Person = { user_id: string; email: string };

async function call<T = PlanView & { detail: string; code: string }>(
  person: { user_id: string },
  method: 'GET' | 'POST',
  path: string,
  payload?: object,
): Promise<{ status: number; body: T }> {
  const response = await test.app.inject({
    method,
    url: `/users/me/plan${path}`,
    headers: test.asUser(person.user_id),
    ...(payload && { payload }),
  });
  return { status: response.statusCode, body: response.json() };
}
const view = async (person: Person) => (await call(person, 'GET', '')).body;
const act = (person: Person, action: string, payload?: object) =>
  call(person, 'POST', `/${action}`, payload);

async function charges(person: Person): Promise<number[]> {
  const { data } = await test.deps.stripe.charges.list({ customer: await customerOf(person) });
  return data.filter((one) => one.status === 'succeeded').map((one) => one.amount);
}
async function customerOf({ user_id }: Person): Promise<string> {
  const row = await test.db
    .selectFrom('customers')
    .select('stripe_customer_id')
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow();
  return row.stripe_customer_id ?? '';
}
async function subscriptionOf({ user_id }: Person): Promise<string> {
  const row = await test.db
    .selectFrom('subscriptions')
    .select('stripe_subscription_id')
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow();
  return row.stripe_subscription_id ?? '';
}
async function subjects(person: Person): Promise<string[]> {
  await test.settle();
  const all = (await test.mails(person.email)).map((mail) => mail.subject);
  return all.filter((subject) => subject !== 'Your free trial has started');
}
/** A reply by keyword reaches billing. */
function reply({ user_id }: Person, type: 'opted_out' | 'opted_in', secondsAgo = 0) {
  const at = new Date(test.deps.clock.now().getTime() - secondsAgo * 1_000).toISOString();
  const source = type === 'opted_out' && { source: 'keyword' };
  return test.hear('sms', `sms.recipient.${type}`, { user_id, at, ...source });
}
async function active(plan: 'monthly' | 'yearly' = 'monthly'): Promise<Person> {
  const person = await test.subscribe({ plan });
  await act(person, 'upgrade', { plan });
  await test.settle();
  return person;
}

describe('GET /users/me/plan', () => {
  it('shows a trial with its card, first charge and allowed actions; paying is rejected', async () => {
    const person = await test.subscribe({ plan: 'yearly' }, '5555555555554444');
    const seen = await view(person);
    expect(seen).toEqual({
      status: 'trial',
      plan: 'yearly',
      price_cents: 4999,
      currency: 'usd',
      trial_end_date: seen.current_period_end,
      current_period_end: seen.current_period_end,
      cancel_at_period_end: false,
      next_charge: { at: seen.current_period_end, amount_cents: 4999 },
      credit_cents: 0,
      free_until: null,
      hold: null,
      lost_days: null,
      card: { brand: 'mastercard', last4: '4444' },
      owed: null,
      actions: ['upgrade', 'switch', 'cancel', 'portal'],
      other_plan: 'monthly',
    });
    const rejected = await act(person, 'pay');
    expect([rejected.status, rejected.body.code]).toEqual([409, 'NOTHING_OWED']);
  });

  it('is pending without actions for a signup, and 404 for an unknown user', async () => {
    const person = await test.signUp();
    expect(await view(person)).toMatchObject({ status: 'pending', actions: [], card: null });
    expect((await call({ user_id: randomUUID() }, 'GET', '')).status).toBe(404);
    expect((await test.app.inject('/users/me/plan')).statusCode).toBe(401);
  });

  it('deducts credit from the next charge, and shows the rest', async () => {
    const person = await test.subscribe();
    const customer = await customerOf(person);
    const adjustBalance = (amount: number) =>
      test.deps.stripe.customers.createBalanceTransaction(customer, { amount, currency: 'usd' });
    await adjustBalance(-125);
    await test.settle();
    expect(await view(person)).toMatchObject({
      credit_cents: 125,
      next_charge: { amount_cents: 374 },
    });
    await adjustBalance(-500);
    await test.settle();
    expect(await view(person)).toMatchObject({
      credit_cents: 625,
      next_charge: { amount_cents: 0 },
    });
    await test.advance(76);
    expect(await view(person)).toMatchObject({
      status: 'active',
      credit_cents: 126,
      next_charge: { amount_cents: 373 },
    });
    expect(await charges(person)).toEqual([]);
  });

  it('shows the amount due after a failed payment, and offers the card and cancellation', async () => {
    await test.faults({ stripe: { retry_days: [3, 6] } });
    const person = await test.subscribe({}, failingCard());
    await test.advance(76);
    const seen = await view(person);
    expect(seen).toMatchObject({
      status: 'past_due',
      next_charge: { amount_cents: 499 },
      owed: { amount_cents: 499, card_declined: true },
      actions: ['pay', 'cancel', 'portal'],
    });
    const rejected = await act(person, 'upgrade', { plan: 'monthly' });
    expect([rejected.status, rejected.body.code]).toEqual([409, 'PAYMENT_OWED']);
    expect((await act(person, 'switch', { plan: 'yearly' })).status).toBe(409);
  });
});

describe('paying what is owed', () => {
  const pay = (person: Person, payload: object = {}) => act(person, 'pay', payload);

  const declining = { retry_days: [3, 6], charge_decline: 'insufficient_funds' };

  /** A subscriber with a declined renewal. All charges fail until `fillAccount`. */
  async function owing(): Promise<Person> {
    const person = await test.subscribe();
    await test.prove(person);
    await test.faults({ stripe: declining });
    await test.advance(76);
    return person;
  }
  const fillAccount = () => test.faults({ stripe: { retry_days: [3, 6] } });

  async function useCard(person: Person, number: string): Promise<void> {
    const { body } = await call<{ url: string }>(person, 'POST', '/portal', { origin_url: origin });
    const form = { card_number: number, expiry: '12/40', cvc: '123', name: 'Ada' };
    await fetch(body.url, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ action: 'update_card', ...form }),
    });
    await test.settle();
  }

  it('charges once for ten clicks, sends one receipt, and keeps texts on', async () => {
    const person = await owing();
    const { owed } = await view(person);
    const graceDays = (Date.parse(owed?.texts_until ?? '') - Date.parse(owed?.since ?? '')) / dayMs;
    expect(graceDays).toBe(7);
    const declined = await pay(person);
    expect([declined.status, declined.body.code]).toEqual([402, 'PAYMENT_DECLINED']);
    await fillAccount();
    const changed = await pay(person, { charge_now_cents: 199 });
    expect([changed.status, changed.body.code]).toEqual([409, 'PRICE_CHANGED']);
    const clicks = Array.from({ length: 10 }, () => pay(person, { charge_now_cents: 499 }));
    for (const { status, body } of await Promise.all(clicks)) {
      expect(status).toBe(200);
      expect(body).toMatchObject({ status: 'active', owed: null });
    }
    expect(await charges(person)).toEqual([499]);
    await test.settle();
    const subjects = (await test.mails(person.email)).map(({ subject }) => subject);
    expect(subjects.filter((subject) => /receipt/.test(subject))).toHaveLength(1);
    expect(await test.state(person.user_id)).toMatchObject({ entitled: true, status: 'active' });
  });

  it('charges once even if the response is lost', async () => {
    const person = await owing();
    await fillAccount();
    const { invoices } = test.deps.stripe;
    const original = invoices.pay.bind(invoices);
    vi.spyOn(invoices, 'pay').mockImplementationOnce(async (...call) => {
      await original(...call);
      throw new Stripe.errors.StripeConnectionError({ message: 'lost', type: 'api_error' });
    });
    expect((await pay(person)).status).toBe(503);
    expect((await pay(person)).body).toMatchObject({ status: 'active', owed: null });
    expect(await charges(person)).toEqual([499]);
  });

  it('charges a new card immediately, even after the response of a decline was lost', async () => {
    const person = await owing();
    const { invoices } = test.deps.stripe;
    const original = invoices.pay.bind(invoices);
    vi.spyOn(invoices, 'pay').mockImplementationOnce(async (...call) => {
      await expect(original(...call)).rejects.toThrow();
      throw new Stripe.errors.StripeConnectionError({ message: 'lost', type: 'api_error' });
    });
    expect((await pay(person)).status).toBe(503);
    await fillAccount();
    await useCard(person, goodCard());
    expect((await pay(person)).body).toMatchObject({ status: 'active', owed: null });
    expect(await charges(person)).toEqual([499]);
  });

  it('says where to confirm when the bank requires it', async () => {
    const person = await owing();
    await fillAccount();
    await useCard(person, '4000002760003184');
    const rejected = await pay(person);
    expect([rejected.status, rejected.body.code]).toEqual([402, 'PAYMENT_UNCONFIRMED']);
    await test.settle();
    expect((await view(person)).owed?.confirm_url).toMatch(/^http/);
    expect(await charges(person)).toEqual([]);
  });
});

describe('cancelling', () => {
  it('in a trial prevents any charge, once for ten clicks, with one mail', async () => {
    const person = await test.subscribe();
    const responses = await Promise.all(Array.from({ length: 10 }, () => act(person, 'cancel')));
    expect(responses.map((response) => response.status)).toEqual(Array(10).fill(200));
    for (const { body } of responses) {
      expect(body).toMatchObject({
        status: 'trial',
        cancel_at_period_end: true,
        next_charge: null,
        actions: ['upgrade', 'switch', 'undo_cancel', 'portal'],
      });
    }
    expect((await act(person, 'cancel')).status).toBe(200);
    expect(await subjects(person)).toEqual(['Your subscription is canceled']);
    await test.advance(80);
    expect(await view(person)).toMatchObject({ status: 'canceled', actions: ['portal'] });
    expect(await charges(person)).toEqual([]);
    for (const action of ['cancel', 'undo-cancel']) {
      const late = await act(person, action);
      expect([late.status, late.body.code]).toEqual([409, 'NO_SUBSCRIPTION']);
    }
  });

  it('can be undone, even if planned in the portal', async () => {
    const person = await active();
    const id = await subscriptionOf(person);
    await act(person, 'cancel');
    const undone = await act(person, 'undo-cancel');
    expect(undone.body).toMatchObject({
      cancel_at_period_end: false,
      next_charge: { amount_cents: 499 },
      actions: ['switch', 'cancel', 'portal'],
    });
    const { items } = await test.deps.stripe.subscriptions.retrieve(id);
    await test.deps.stripe.subscriptions.update(id, {
      cancel_at: items.data[0]!.current_period_end,
    });
    await test.settle();
    expect(await view(person)).toMatchObject({ cancel_at_period_end: true });
    expect((await act(person, 'undo-cancel')).body).toMatchObject({ cancel_at_period_end: false });
    const mailed = await subjects(person);
    expect(mailed.filter((one) => one === 'Your subscription is canceled')).toHaveLength(1);
    expect(mailed.filter((one) => one === 'Your subscription continues')).toHaveLength(2);
  });

  it('undone by the person persists, whatever STOP had ended', async () => {
    const person = await test.subscribe();
    await reply(person, 'opted_out');
    await test.settle();
    expect(await view(person)).toMatchObject({ cancel_at_period_end: true });
    expect((await act(person, 'undo-cancel')).body).toMatchObject({ cancel_at_period_end: false });
    await act(person, 'cancel');
    await test.advance(1);
    await reply(person, 'opted_in');
    await test.settle();
    expect(await view(person)).toMatchObject({ cancel_at_period_end: true });
  });

  it('after STOP is confirmed by email, and START undoes only what STOP ended', async () => {
    const person = await active();
    await test.advance(1);
    await reply(person, 'opted_out');
    await test.settle();
    expect((await act(person, 'cancel')).body).toMatchObject({ cancel_at_period_end: true });
    await act(person, 'cancel');
    await test.advance(1);
    await reply(person, 'opted_in');
    await test.settle();
    expect(await view(person)).toMatchObject({ cancel_at_period_end: true });
    await test.advance(1);
    await reply(person, 'opted_out');
    await test.settle();
    await test.advance(1);
    await reply(person, 'opted_in');
    await test.settle();
    expect(await view(person)).toMatchObject({ cancel_at_period_end: true, next_charge: null });
    const mailed = await subjects(person);
    expect(mailed.filter((one) => one === 'Your subscription is canceled')).toHaveLength(1);
    expect(mailed).not.toContain('Your subscription continues');
  });

  it('after STOP is undone by START, which is emailed and published for the text', async () => {
    const person = await active();
    await reply(person, 'opted_out', 2);
    await test.settle();
    const restored = async () =>
      (await publishedEvents(test.db, 'billing.renewal.restored'))
        .map(({ data }) => data as { user_id: string })
        .filter(({ user_id }) => user_id === person.user_id);
    expect(await restored()).toEqual([]);
    await reply(person, 'opted_in', 1);
    await test.settle();
    const { current_period_end, next_charge } = await view(person);
    expect(next_charge).toMatchObject({ at: current_period_end });
    expect(await restored()).toEqual([
      { user_id: person.user_id, renews_at: current_period_end, at: expect.any(String) },
    ]);
    expect(await subjects(person)).toContain('Your subscription continues');
    await reply(person, 'opted_in');
    await test.settle();
    expect(await restored()).toHaveLength(1);
  });

  it('between a pending STOP and START persists', async () => {
    const person = await test.subscribe();
    await test.faults({ stripe_down: true });
    await reply(person, 'opted_out', 2);
    await test.settle();
    await test.faults({});
    expect((await act(person, 'cancel')).body).toMatchObject({ cancel_at_period_end: true });
    await reply(person, 'opted_in');
    await test.advance(1);
    expect(await view(person)).toMatchObject({ cancel_at_period_end: true });
    expect(await subjects(person)).toContain('Your subscription is canceled');
  });

  it('while a START is still pending persists, and is confirmed by email once', async () => {
    const person = await test.subscribe();
    await reply(person, 'opted_out');
    await test.settle();
    await test.faults({ stripe_down: true });
    await test.advance(1);
    await reply(person, 'opted_in');
    await test.settle();
    await test.faults({});
    expect((await act(person, 'cancel')).body).toMatchObject({ cancel_at_period_end: true });
    await act(person, 'cancel');
    await test.advance(80);
    expect(await view(person)).toMatchObject({ status: 'canceled' });
    expect(await charges(person)).toEqual([]);
    const mailed = await subjects(person);
    expect(mailed.filter((one) => one === 'Your subscription is canceled')).toHaveLength(1);
  });

  it.each([
    ['before it, which had to wait for the provider', true],
    ['after it, as it was not STOP that ended the renewal', false],
  ])("isn't undone by a START from %s", async (_when, before) => {
    const person = await test.subscribe();
    await test.faults({ stripe_down: true });
    await reply(person, 'opted_out', 2);
    if (before) await reply(person, 'opted_in', 1);
    await test.advance(1);
    await test.faults({});
    expect((await act(person, 'cancel')).body).toMatchObject({ cancel_at_period_end: true });
    await test.advance(1);
    if (!before) await reply(person, 'opted_in', 1);
    await test.settle();
    expect(await view(person)).toMatchObject({ cancel_at_period_end: true, next_charge: null });
    expect(await subjects(person)).toEqual(['Your subscription is canceled']);
  });
});
