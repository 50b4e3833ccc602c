import { minuteMs } from '@daylift/clock/durations';
import type { PlanPreview, PlanView } from '@daylift/contracts/billing.http';
import Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { failingCard } from '../../test/cards.ts';
import { journeyMs, origin, startBilling, type TestBilling } from '../../test/harness.ts';

vi.setConfig({ testTimeout: journeyMs });
let test: TestBilling;
beforeAll(async () => {
  test = await startBilling();
});
afterAll(() => test.stop());
beforeEach(() => test.reset());
afterEach(() => {
  vi.restoreAllMocks();
});

type Person = { user_id: string; email: string };
type Plan = 'monthly' | 'yearly';
const other = (plan: Plan): Plan => (plan === 'monthly' ? 'yearly' : 'monthly');

async function call<T>(person: Person, method: 'GET' | 'POST', path: string, payload?: object) {
  const response = await test.app.inject({
    method,
    url: `/users/me/plan${path}`,
    headers: test.asUser(person.user_id),
    ...(payload && { payload }),
  });
  return {
    status: response.statusCode,
    body: response.json<T & { detail: string; code: string }>(),
  };
}
const view = async (person: Person) => (await call<PlanView>(person, 'GET', '')).body;
const preview = (person: Person, action: string, plan: string) =>
  call<PlanPreview>(person, 'GET', `/preview?action=${action}&plan=${plan}`);
const act = (person: Person, action: string, payload?: object) =>
  call<PlanView>(person, 'POST', `/${action}`, payload);
const tenTimes = (person: Person, action: string, payload: object) =>
  Promise.all(Array.from({ length: 10 }, () => act(person, action, payload)));

async function customerOf({ user_id }: Person): Promise<string> {
  const row = await test.db
    .selectFrom('customers')
    .select('stripe_customer_id')
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow();
  return row.stripe_customer_id ?? '';
}
async function charges(person: Person): Promise<number[]> {
  const { data } = await test.deps.stripe.charges.list({ customer: await customerOf(person) });
  return data.filter((one) => one.status === 'succeeded').map((one) => one.amount);
}
async function subjects(person: Person): Promise<string[]> {
  await test.settle();
  const all = (await test.mails(person.email)).map((mail) => mail.subject);
  return all.filter((subject) => subject !== 'Your free trial has started');
}
async function active(plan: Plan): Promise<Person> {
  const person = await test.subscribe({ plan });
  await test.prove(person);
  expect((await act(person, 'upgrade', { plan })).status).toBe(200);
  await test.settle();
  return person;
}

describe('an upgrade', () => {
  it('ends the trial and charges the amount shown and no other, once for ten clicks, with one mail', async () => {
    const person = await test.subscribe();
    const shown = (await preview(person, 'upgrade', 'monthly')).body;
    expect(shown).toMatchObject({ plan: 'monthly', charge_now_cents: 499, credit_cents: 0 });
    const rejected = await act(person, 'upgrade', { plan: 'monthly', charge_now_cents: 199 });
    expect([rejected.status, rejected.body.code]).toEqual([409, 'PRICE_CHANGED']);
    expect(await view(person)).toMatchObject({ status: 'trial' });
    expect(await charges(person)).toEqual([]);
    const payload = { plan: 'monthly', charge_now_cents: shown.charge_now_cents };
    const responses = await tenTimes(person, 'upgrade', payload);
    for (const { status, body } of responses) {
      expect(status).toBe(200);
      expect(body).toMatchObject({
        status: 'active',
        plan: 'monthly',
        next_charge: { amount_cents: 499 },
        actions: ['switch', 'cancel', 'portal'],
      });
    }
    const late = await act(person, 'upgrade', payload);
    expect(late.body).toEqual(responses[0]?.body);
    expect(await charges(person)).toEqual([499]);
    const mailed = await subjects(person);
    expect(mailed.filter((one) => one === 'Your subscription has started')).toHaveLength(1);
    expect(mailed.filter((one) => /receipt/.test(one))).toHaveLength(1);
    expect((await act(person, 'upgrade', { plan: 'yearly' })).body.code).toBe('TRIAL_OVER');
    expect((await preview(person, 'upgrade', 'monthly')).body.code).toBe('TRIAL_OVER');
  });

  it('can choose the other plan, undoes a planned cancellation, and uses credit', async () => {
    const person = await test.subscribe();
    await act(person, 'cancel');
    await test.deps.stripe.customers.createBalanceTransaction(await customerOf(person), {
      amount: -125,
      currency: 'usd',
    });
    expect((await preview(person, 'upgrade', 'yearly')).body).toMatchObject({
      charge_now_cents: 4874,
      next_charge: { amount_cents: 4999 },
    });
    const { body } = await act(person, 'upgrade', { plan: 'yearly', charge_now_cents: 4874 });
    expect(body).toMatchObject({
      status: 'active',
      plan: 'yearly',
      price_cents: 4999,
      cancel_at_period_end: false,
      credit_cents: 0,
      next_charge: { amount_cents: 4999 },
    });
    expect(await charges(person)).toEqual([4874]);
  });

  it('with a declined card changes nothing: the trial continues', async () => {
    const person = await test.subscribe({}, failingCard());
    const before = await view(person);
    const declined = await act(person, 'upgrade', { plan: 'monthly' });
    expect([declined.status, declined.body.code]).toEqual([402, 'CARD_DECLINED']);
    expect(declined.body.detail).toMatch(/You weren't charged/);
    await test.settle();
    expect(await view(person)).toEqual(before);
    expect(await subjects(person)).toEqual([]);
    const invoices = await test.deps.stripe.invoices.list({ customer: await customerOf(person) });
    expect(invoices.data.map((invoice) => invoice.status)).toEqual(['paid']);
  });

  it('with a lost response is found again: one charge, one mail', async () => {
    const person = await test.subscribe();
    const { subscriptions } = test.deps.stripe;
    const update = subscriptions.update.bind(subscriptions);
    vi.spyOn(subscriptions, 'update').mockImplementationOnce(async (id, params, options) => {
      await update(id, params, options);
      throw new Stripe.errors.StripeConnectionError({ message: 'lost', type: 'api_error' });
    });
    expect((await act(person, 'upgrade', { plan: 'monthly' })).status).toBe(503);
    expect((await act(person, 'upgrade', { plan: 'monthly' })).body.status).toBe('active');
    expect(await charges(person)).toEqual([499]);
    const mailed = await subjects(person);
    expect(mailed.filter((one) => one === 'Your subscription has started')).toHaveLength(1);
  });

  it('of a plan that an admin ends at that moment is a conflict, not an outage', async () => {
    const person = await test.subscribe();
    const { subscriptions } = test.deps.stripe;
    const update = subscriptions.update.bind(subscriptions);
    vi.spyOn(subscriptions, 'update').mockImplementationOnce(async (id, params, options) => {
      await subscriptions.cancel(id);
      return update(id, params, options);
    });
    const rejected = await act(person, 'upgrade', { plan: 'monthly' });
    expect([rejected.status, rejected.body.code]).toEqual([409, 'NO_SUBSCRIPTION']);
    expect(await charges(person)).toEqual([]);
  });

  it('with a crashed caller is completed later, with one mail', async () => {
    const person = await test.subscribe();
    const { subscriptions } = test.deps.stripe;
    const update = subscriptions.update.bind(subscriptions);
    vi.spyOn(subscriptions, 'update').mockImplementationOnce(async (id, params, options) => {
      await update(id, params, options);
      throw new Stripe.errors.StripeConnectionError({ message: 'lost', type: 'api_error' });
    });
    expect((await act(person, 'upgrade', { plan: 'monthly' })).status).toBe(503);
    await test.advance(1);
    expect(await subjects(person)).toContain('Your subscription has started');
    expect(await charges(person)).toEqual([499]);
  });

  it('waits for a provider that is down, and charges nothing meanwhile', async () => {
    const person = await test.subscribe();
    await test.faults({ stripe_down: true });
    const down = await act(person, 'upgrade', { plan: 'monthly' });
    expect([down.status, down.body.code]).toEqual([503, 'PLAN_UNAVAILABLE']);
    expect((await preview(person, 'upgrade', 'monthly')).status).toBe(503);
    expect(await view(person)).toMatchObject({ status: 'trial' });
    await test.faults({});
    expect((await act(person, 'upgrade', { plan: 'monthly' })).status).toBe(200);
    expect(await charges(person)).toEqual([499]);
  });
});

describe('a switch', () => {
  it('in a trial costs nothing now, and changes the next charge', async () => {
    const person = await test.subscribe();
    await test.prove(person);
    const before = await view(person);
    const shown = (await preview(person, 'switch', 'yearly')).body;
    expect(shown).toMatchObject({ charge_now_cents: 0, next_charge: { amount_cents: 4999 } });
    const { body } = await act(person, 'switch', { plan: 'yearly', charge_now_cents: 0 });
    expect(body).toMatchObject({
      status: 'trial',
      plan: 'yearly',
      trial_end_date: before.trial_end_date,
      next_charge: shown.next_charge,
    });
    expect(await subjects(person)).toEqual(["You're now on the yearly plan"]);
    await test.advance(76);
    expect(await charges(person)).toEqual([4999]);
  });

  it('to yearly charges the amount shown, less the unused month, once for ten clicks', async () => {
    const person = await active('monthly');
    await test.advance(24 * 10);
    const shown = (await preview(person, 'switch', 'yearly')).body;
    expect(shown.charge_now_cents).toBeGreaterThan(4999 - 499);
    expect(shown.charge_now_cents).toBeLessThan(4999 - 300);
    const payload = { plan: 'yearly', charge_now_cents: shown.charge_now_cents };
    const responses = await tenTimes(person, 'switch', payload);
    expect(responses.map((response) => response.status)).toEqual(Array(10).fill(200));
    expect(responses[0]?.body).toMatchObject({
      plan: 'yearly',
      next_charge: { amount_cents: 4999 },
    });
    expect(await charges(person)).toEqual([shown.charge_now_cents, 499]);
    const mailed = await subjects(person);
    expect(mailed.filter((one) => one === "You're now on the yearly plan")).toHaveLength(1);
  });

  it('to monthly credits the unused year toward the following months', async () => {
    const person = await active('yearly');
    await test.advance(24 * 10);
    const shown = (await preview(person, 'switch', 'monthly')).body;
    expect(shown.charge_now_cents).toBe(0);
    expect(shown.credit_cents).toBeGreaterThan(4000);
    expect(shown.credit_cents).toBeLessThan(4999 - 499);
    const { body } = await act(person, 'switch', { plan: 'monthly', charge_now_cents: 0 });
    expect(body).toMatchObject({
      plan: 'monthly',
      credit_cents: shown.credit_cents,
      next_charge: { amount_cents: 0 },
    });
    // The period starts with the switch, up to a few seconds after the preview.
    const shownAt = Date.parse(shown.next_charge?.at ?? '');
    const laterMs = Date.parse(body.next_charge?.at ?? '') - shownAt;
    expect(laterMs).toBeGreaterThanOrEqual(0);
    expect(laterMs).toBeLessThan(minuteMs);
    await test.advance(24 * 32);
    expect(await view(person)).toMatchObject({ credit_cents: shown.credit_cents - 499 });
    expect(await charges(person)).toEqual([4999]);
  });

  it('after a full refund credits nothing for the unused year', async () => {
    const person = await active('yearly');
    const { refunds, charges: all } = test.deps.stripe;
    const { data } = await all.list({ customer: await customerOf(person) });
    await refunds.create({ charge: data[0]!.id });
    await test.settle();
    const shown = (await preview(person, 'switch', 'monthly')).body;
    expect(shown).toMatchObject({ charge_now_cents: 499, credit_cents: 0 });
    const { body } = await act(person, 'switch', { plan: 'monthly', charge_now_cents: 499 });
    expect(body).toMatchObject({ plan: 'monthly', credit_cents: 0 });
    expect(await charges(person)).toEqual([499, 4999]);
  });

  it('back and forth within a minute counts as three switches, and is rejected to the same plan or before an end', async () => {
    const person = await active('monthly');
    const rejectsAll = async (plan: Plan) => {
      const before = await charges(person);
      expect((await preview(person, 'switch', plan)).body.code).toBe('SAME_PLAN');
      await act(person, 'cancel');
      const ending = await act(person, 'switch', { plan: other(plan) });
      expect([ending.status, ending.body.code]).toEqual([409, 'ENDS_SOON']);
      expect(await charges(person)).toEqual(before);
    };
    await rejectsAll('monthly');
    await act(person, 'undo-cancel');
    for (const plan of ['yearly', 'monthly', 'yearly'])
      expect((await act(person, 'switch', { plan })).body).toMatchObject({ plan });
    const mailed = await subjects(person);
    expect(mailed.filter((one) => one === "You're now on the yearly plan")).toHaveLength(2);
    await rejectsAll('yearly');
  });

  it('with a declined card leaves the plan unchanged', async () => {
    const person = await active('monthly');
    await test.faults({ stripe: { charge_decline: 'insufficient_funds' } });
    const declined = await act(person, 'switch', { plan: 'yearly' });
    expect([declined.status, declined.body.code]).toEqual([402, 'CARD_DECLINED']);
    expect(await view(person)).toMatchObject({ plan: 'monthly', status: 'active' });
    await test.faults({});
    expect((await act(person, 'switch', { plan: 'yearly' })).status).toBe(200);
  });

  it('waits for a renewal in progress, so nothing unpaid becomes credit', async () => {
    const person = await test.subscribe();
    await test.advance(72.5);
    expect(await view(person)).toMatchObject({
      status: 'active',
      next_charge: { amount_cents: 499 },
    });
    const early = await act(person, 'switch', { plan: 'yearly' });
    expect([early.status, early.body.code]).toEqual([409, 'BILL_UNDER_WAY']);
  });
});

describe('the portal', () => {
  it('returns to the dashboard it was opened from, on our own hosts', async () => {
    const person = await test.subscribe();
    const { status, body } = await call<{ url: string }>(person, 'POST', '/portal', {
      origin_url: origin,
    });
    expect(status).toBe(200);
    const page = await fetch(body.url);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain(`${origin}/dashboard?tab=plan`);
    await call(person, 'POST', '/portal', { origin_url: 'http://other.test' });
    const { data } = await test.deps.stripe.billingPortal.configurations.list();
    expect(data).toHaveLength(1);
    const foreignUrls = ['https://evil.test', `${origin}.evil.test`, `${origin}/x`, 'javascript:1'];
    for (const origin_url of foreignUrls)
      expect((await call(person, 'POST', '/portal', { origin_url })).status).toBe(400);
    expect((await act(await test.signUp(), 'portal', { origin_url: origin })).status).toBe(409);
    await test.faults({ stripe_down: true });
    expect((await act(person, 'portal', { origin_url: origin })).status).toBe(503);
  });
});
