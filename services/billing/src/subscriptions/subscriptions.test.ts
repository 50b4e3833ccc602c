import { randomUUID } from 'node:crypto';
import { hourMs } from '@daylift/clock/durations';
import type { PlanView } from '@daylift/contracts/billing.http';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { failingCard } from '../../test/cards.ts';
import { journeyMs, startBilling, type TestBilling } from '../../test/harness.ts';

vi.setConfig({ testTimeout: journeyMs });
let test: TestBilling;
beforeAll(async () => {
  test = await startBilling();
});
afterAll(() => test.stop());
beforeEach(() => test.reset());

const hours = (from: string | null | undefined, to: string | null | undefined) =>
  (Date.parse(to ?? '') - Date.parse(from ?? '')) / hourMs;

async function seenBy(userId: string) {
  const response = await test.app.inject({
    url: '/users/me/subscription',
    headers: test.asUser(userId),
  });
  return { status: response.statusCode, body: response.json() };
}

describe('from trial to a paid plan', () => {
  it('a trial entitles from its start, and becomes active and paid as time passes', async () => {
    const facts = await test.subscribe();
    const trial = await test.state(facts.user_id);
    expect(trial).toMatchObject({
      version: 1,
      status: 'trial',
      plan: 'monthly',
      entitled: true,
      entitled_until: null,
      cancel_at_period_end: false,
    });
    expect(hours(trial?.entitled_since, trial?.trial_end)).toBe(72);
    expect((await seenBy(facts.user_id)).body).toEqual({
      status: 'trial',
      plan: 'monthly',
      trial_end_date: trial?.trial_end,
      current_period_end: trial?.current_period_end,
      cancel_at_period_end: false,
    });
    await test.advance(75);
    const active = await test.state(facts.user_id);
    expect(active).toMatchObject({ status: 'active', entitled: true, entitled_until: null });
    expect(active?.entitled_since).toBe(trial?.entitled_since);
    expect(Date.parse(active?.current_period_end ?? '')).toBeGreaterThan(
      test.deps.clock.now().getTime(),
    );
  });

  it('a yearly plan is yearly', async () => {
    const facts = await test.subscribe({ plan: 'yearly' });
    await test.advance(75);
    const state = await test.state(facts.user_id);
    expect(state).toMatchObject({ status: 'active', plan: 'yearly' });
    const anniversary = new Date(state?.trial_end ?? '');
    anniversary.setUTCFullYear(anniversary.getUTCFullYear() + 1);
    expect(state?.current_period_end).toBe(anniversary.toISOString());
  });
});

describe('a payment that fails', () => {
  it('allows seven more days of texts, then none, with mails about both', async () => {
    await test.faults({ stripe: { retry_days: [3, 6] } });
    const facts = await test.subscribe({}, failingCard());
    await test.advance(75);
    const owing = await test.state(facts.user_id);
    expect(owing).toMatchObject({ status: 'past_due', entitled: true });
    // The invoice stays a draft for an hour after the trial before it's charged.
    expect(hours(owing?.trial_end, owing?.entitled_until)).toBe(7 * 24 + 1);
    await test.advance(7 * 24 - 4);
    expect(await test.state(facts.user_id)).toMatchObject({ entitled: true });
    await test.advance(4);
    const ended = await test.state(facts.user_id);
    expect(ended).toMatchObject({ status: 'past_due', entitled: false, entitled_until: null });
    await test.advance(24 * 3);
    expect(await test.state(facts.user_id)).toMatchObject({ status: 'canceled', entitled: false });
    expect((await seenBy(facts.user_id)).body.status).toBe('canceled');
  });

  it('has no effect once it is paid', async () => {
    const facts = await test.subscribe();
    await test.faults({ stripe: { charge_decline: 'insufficient_funds', retry_days: [3] } });
    await test.advance(76);
    expect(await test.state(facts.user_id)).toMatchObject({ status: 'past_due', entitled: true });
    await test.faults({ stripe: { retry_days: [3] } });
    await test.advance(24 * 4);
    expect(await test.state(facts.user_id)).toMatchObject({
      status: 'active',
      entitled: true,
      entitled_until: null,
    });
  });
});

describe('an end', () => {
  it('at the period end entitles until then, and no longer', async () => {
    const facts = await test.subscribe();
    const id = await stripeIdOf(facts.user_id);
    await test.deps.stripe.subscriptions.update(id, { cancel_at_period_end: true });
    await test.settle();
    const state = await test.state(facts.user_id);
    expect(state).toMatchObject({ status: 'trial', cancel_at_period_end: true, entitled: true });
    expect(state?.entitled_until).toBe(state?.trial_end);
    await test.advance(71);
    expect(await test.state(facts.user_id)).toMatchObject({ entitled: true });
    await test.faults({ webhook: { drop: 1 }, stripe_down: true });
    await test.advance(1);
    expect(await test.state(facts.user_id)).toMatchObject({ entitled: false });
    await test.faults({});
    await test.advance(1);
    expect(await test.state(facts.user_id)).toMatchObject({ status: 'canceled', entitled: false });
  });

  it('by the portal, which only sets a date, counts as canceled', async () => {
    const facts = await test.subscribe();
    const id = await stripeIdOf(facts.user_id);
    const { trial_end } = await test.deps.stripe.subscriptions.retrieve(id);
    await test.deps.stripe.subscriptions.update(id, { cancel_at: trial_end ?? 0 });
    await test.settle();
    expect(await test.state(facts.user_id)).toMatchObject({ cancel_at_period_end: true });
    await test.deps.stripe.subscriptions.update(id, { cancel_at: '' });
    await test.settle();
    expect(await test.state(facts.user_id)).toMatchObject({
      cancel_at_period_end: false,
      entitled_until: null,
    });
  });

  it("doesn't block a new subscription, which keeps the first entitlement date", async () => {
    const facts = await test.subscribe();
    await test.deps.stripe.subscriptions.cancel(await stripeIdOf(facts.user_id));
    await test.settle();
    const first = await test.state(facts.user_id);
    expect(first).toMatchObject({ status: 'canceled', entitled: false });
    const { body } = await test.checkOut(facts, {}, test.asUser(facts.user_id));
    await test.pay(body.session_id);
    await test.settle();
    expect(await test.state(facts.user_id)).toMatchObject({
      // The first one used up the trial.
      status: 'active',
      entitled: true,
      entitled_since: first?.entitled_since,
      version: (first?.version ?? 0) + 1,
    });
  });
});

describe('one subscription per user', () => {
  it('cancels and refunds a second one', async () => {
    const facts = await test.subscribe();
    const keptId = await stripeIdOf(facts.user_id);
    const { stripe, prices } = test.deps;
    const { customer, default_payment_method } = await stripe.subscriptions.retrieve(keptId);
    const second = await stripe.subscriptions.create({
      customer: customer as string,
      default_payment_method: default_payment_method as string,
      items: [{ price: await prices.find('monthly', 'usd') }],
      metadata: { user_id: facts.user_id },
    });
    await test.settle();
    expect((await stripe.subscriptions.retrieve(second.id)).status).toBe('canceled');
    expect(await stripeIdOf(facts.user_id)).toBe(keptId);
    const charges = await stripe.charges.list({ customer: customer as string });
    expect(charges.data.map((charge) => [charge.amount, charge.amount_refunded])).toEqual([
      [499, 499],
    ]);
  });

  it.each([
    ['a part', 125, [[374, 374]]],
    ['all', 600, []],
  ])('returns the credit that paid %s of a second one', async (_part, cents, expected) => {
    const facts = await test.subscribe();
    const { stripe, prices } = test.deps;
    const first = await stripe.subscriptions.retrieve(await stripeIdOf(facts.user_id));
    const customer = first.customer as string;
    const credit = { amount: -cents, currency: 'usd' };
    await stripe.customers.createBalanceTransaction(customer, credit);
    await stripe.subscriptions.create({
      customer,
      default_payment_method: first.default_payment_method as string,
      items: [{ price: await prices.find('monthly', 'usd') }],
      metadata: { user_id: facts.user_id },
    });
    await test.settle();
    const plan = await test.callAsUser<PlanView>(facts.user_id, 'plan');
    expect(plan.credit_cents).toBe(cents);
    const charges = await stripe.charges.list({ customer });
    expect(charges.data.map((charge) => [charge.amount, charge.amount_refunded])).toEqual(expected);
  });

  it('ends with the account, even if paid after its deletion', async () => {
    const facts = await test.subscribe();
    const id = await stripeIdOf(facts.user_id);
    await test.hear('accounts', 'accounts.user.deleted', { user_id: facts.user_id });
    await test.settle();
    expect((await test.deps.stripe.subscriptions.retrieve(id)).status).toBe('canceled');
    const late = await test.signUp();
    const { body } = await test.checkOut(late);
    await test.pay(body.session_id);
    await test.hear('accounts', 'accounts.user.deleted', { user_id: late.user_id });
    await test.settle();
    const row = await stripeIdOf(late.user_id);
    expect((await test.deps.stripe.subscriptions.retrieve(row)).status).toBe('canceled');
    expect(await test.state(late.user_id)).toMatchObject({ status: 'canceled', entitled: false });
    const stored = await test.db
      .selectFrom('customers')
      .select(['email', 'name', 'email_hash'])
      .where('user_id', '=', late.user_id)
      .executeTakeFirst();
    expect(stored).toEqual({ email: '', name: '', email_hash: '' });
  });
});

describe('one trial per card', () => {
  it('ends a trial immediately if the card had another, with an email', async () => {
    const card = '5555555555554444';
    const first = await test.subscribe({}, card);
    expect(await test.state(first.user_id)).toMatchObject({ status: 'trial' });
    const second = await test.subscribe({}, card);
    expect(await test.state(second.user_id)).toMatchObject({ status: 'active', entitled: true });
    const mails = await test.mails(second.email);
    expect(mails.map((mail) => mail.subject)).toContain('Your subscription has started');
    const charged = await test.db
      .selectFrom('invoices')
      .select((select) => select.fn.sum<number>('amount_paid_cents').as('cents'))
      .where('user_id', '=', second.user_id)
      .executeTakeFirst();
    expect(Number(charged?.cents)).toBe(499);
  });

  it('allows one of two concurrent trials with the same card', async () => {
    const card = '4000056655665556';
    const facts = await Promise.all([test.signUp(), test.signUp()]);
    const pages = await Promise.all(facts.map((one) => test.checkOut(one)));
    await Promise.all(pages.map((page) => test.pay(page.body.session_id, card)));
    await test.settle();
    const states = await Promise.all(facts.map((one) => test.state(one.user_id)));
    expect(states.map((state) => state?.status).sort()).toEqual(['active', 'trial']);
  });
});

describe('GET /users/me/subscription', () => {
  it('is pending for an unpaid signup, also before its event arrived', async () => {
    const facts = await test.signUp({ plan: 'yearly' });
    expect((await seenBy(facts.user_id)).body).toMatchObject({ status: 'pending', plan: 'yearly' });
    const early = { ...facts, user_id: randomUUID() };
    test.signupsAtAccounts.set(early.user_id, early);
    expect((await seenBy(early.user_id)).body).toMatchObject({ status: 'pending' });
  });

  it('responds 404 to an unknown user, 401 without a token and 403 to an admin', async () => {
    expect((await seenBy(randomUUID())).status).toBe(404);
    const anonymous = await test.app.inject('/users/me/subscription');
    expect(anonymous.statusCode).toBe(401);
    const admin = await test.app.inject({ url: '/users/me/subscription', headers: asViewer() });
    expect(admin.statusCode).toBe(403);
  });
});

describe('GET /admin/subscriptions', () => {
  it('pages through all, newest first, with the total', async () => {
    for (let earlier = 0; earlier < 2; earlier += 1) await test.subscribe();
    const last = await test.subscribe();
    const response = await test.app.inject({
      url: '/admin/subscriptions?limit=2',
      headers: asViewer(),
    });
    const rows = response.json();
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatchObject({ user_id: last.user_id, status: 'trial', plan: 'monthly' });
    expect(response.headers['x-total-count']).toBe('3');
  });

  it.each([
    ['limit=0', 400],
    ['limit=501', 400],
    ['offset=-1', 400],
    ['limit=NaN', 400],
  ])('responds to %s with %i', async (query, status) => {
    const url = `/admin/subscriptions?${query}`;
    expect((await test.app.inject({ url, headers: asViewer() })).statusCode).toBe(status);
  });

  it('is for admins only', async () => {
    const facts = await test.signUp();
    const url = '/admin/subscriptions';
    expect((await test.app.inject(url)).statusCode).toBe(401);
    const headers = test.asUser(facts.user_id);
    expect((await test.app.inject({ url, headers })).statusCode).toBe(403);
  });
});

const asViewer = () =>
  test.as({
    kind: 'admin',
    admin_id: randomUUID(),
    username: 'vera',
    role: 'viewer',
    session_version: 0,
  });

async function stripeIdOf(userId: string): Promise<string> {
  const row = await test.db
    .selectFrom('subscriptions')
    .select('stripe_subscription_id')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return row.stripe_subscription_id ?? '';
}
