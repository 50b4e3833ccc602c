import type { UnansweredDisputeList, UserInvoice } from '@daylift/contracts/billing.http';
import type { AdminSubscription } from '@daylift/contracts/timeline.http';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { payments } from '../../test/disputes.ts';
import { journeyMs, startBilling, type TestBilling } from '../../test/harness.ts';

vi.setConfig({ testTimeout: journeyMs });
let test: TestBilling;
let money: ReturnType<typeof payments>;
beforeAll(async () => {
  test = await startBilling();
  money = payments(test);
});
afterAll(() => test.stop());
beforeEach(() => test.reset());

const state = ({ user_id }: { user_id: string }) => test.state(user_id);
const subjects = async ({ email }: { email: string }) =>
  (await test.mails(email)).map(({ subject }) => subject);
async function expectLedger(): Promise<number> {
  const truth = await money.ledger();
  expect((await money.revenue()).total_cents).toBe(truth);
  return truth;
}
async function unanswered(): Promise<UnansweredDisputeList> {
  const headers = test.as({
    kind: 'admin',
    admin_id: crypto.randomUUID(),
    role: 'viewer',
  } as never);
  return (await test.app.inject({ url: '/admin/disputes', headers })).json();
}
async function page({ user_id }: { user_id: string }): Promise<AdminSubscription> {
  const headers = test.as({ kind: 'service', name: 'accounts' });
  const url = `/internal/subscriptions/${user_id}`;
  return (await test.app.inject({ url, headers })).json();
}
async function credit(referrer: { user_id: string }): Promise<number> {
  const headers = test.asUser(referrer.user_id);
  return (await test.app.inject({ url: '/users/me/referrals', headers })).json().credit_cents;
}

describe('a disputed payment', () => {
  it('immediately stops the texts, the credit and the revenue, and winning restores all three', async () => {
    const referrer = await test.subscribe();
    const friend = await money.payer({ referrer_user_id: referrer.user_id });
    expect(await credit(referrer)).toBe(125);
    const before = await expectLedger();
    const id = await money.dispute(friend);
    expect(await state(friend)).toMatchObject({ status: 'active', entitled: false });
    expect(await credit(referrer)).toBe(0);
    expect(await expectLedger()).toBe(before - 499);
    expect(await money.plan(friend)).toMatchObject({
      hold: 'disputed',
      next_charge: null,
      actions: ['cancel', 'portal'],
    });
    const wanted = { id, user_id: friend.user_id, state: 'open', amount_cents: 499 };
    expect((await unanswered()).filter((one) => one.id === id)).toMatchObject([wanted]);
    const shown = await page(friend);
    expect(shown.disputes).toMatchObject([{ id, respond_by: expect.any(String) }]);
    expect(shown.invoices[0]).toMatchObject({ status: 'paid', dispute: 'open' });
    await money.decide(id, 'under_review');
    expect((await unanswered()).filter((one) => one.id === id)).toEqual([]);
    expect((await page(friend)).disputes).toMatchObject([{ state: 'open', respond_by: null }]);
    await money.decide(id, 'won');
    expect(await state(friend)).toMatchObject({ status: 'active', entitled: true });
    expect(await credit(referrer)).toBe(125);
    expect(await expectLedger()).toBe(before);
    expect(await money.plan(friend)).toMatchObject({
      hold: null,
      next_charge: { amount_cents: 499 },
      actions: ['switch', 'cancel', 'portal'],
    });
    const mails = await subjects(friend);
    expect(mails.filter((subject) => /texts are/.test(subject))).toEqual([
      'Your texts are paused',
      'Your texts are back',
    ]);
  });

  it('that is lost ends the subscription, and the payer can buy a new one with texts', async () => {
    const person = await money.payer();
    const id = await money.dispute(person);
    const before = await money.ledger();
    await money.decide(id, 'lost');
    expect(await state(person)).toMatchObject({ status: 'canceled', entitled: false });
    expect(await expectLedger()).toBe(before);
    expect((await subjects(person)).at(-1)).toBe('Your subscription has ended');
    const headers = test.as({ kind: 'service', name: 'accounts' });
    const url = `/internal/export/${person.user_id}`;
    expect((await test.app.inject({ url, headers })).json()).toMatchObject({
      disputes: [{ state: 'lost', amount_cents: 499 }],
    });
    const { body } = await test.checkOut(person, {}, test.asUser(person.user_id));
    await test.pay(body.session_id);
    await test.settle();
    expect(await state(person)).toMatchObject({ status: 'active', entitled: true });
    await expectLedger();
  });

  it('is never followed by another charge while it is open, and renews again once it is won', async () => {
    const person = await money.payer();
    const id = await money.dispute(person);
    await test.advance(24 * 31 + 2);
    expect(await money.of(person)).toHaveLength(1);
    expect(await state(person)).toMatchObject({ status: 'active', entitled: false });
    await money.decide(id, 'won');
    expect(await state(person)).toMatchObject({ status: 'active', entitled: true });
    expect(await money.plan(person)).toMatchObject({ next_charge: { amount_cents: 499 } });
  });

  it.each([
    ['a draft', {}],
    ['unpaid', { charge_decline: 'insufficient_funds' }],
  ])('stops a renewal that is already %s', async (_name, stripe) => {
    const person = await money.payer();
    const [charge] = await money.of(person);
    const { customers } = test.deps.stripe;
    const credit = { amount: -125, currency: 'usd' };
    await customers.createBalanceTransaction(charge!.customer as string, credit);
    await test.faults({ stripe });
    const { current_period_end } = await money.plan(person);
    const left = new Date(current_period_end!).getTime() - test.deps.clock.now().getTime();
    await test.advance(left / 3_600_000 + ('charge_decline' in stripe ? 2 : 0.5));
    await test.faults({});
    const id = await money.dispute(person);
    const before = await subjects(person);
    await test.advance(24 * 20);
    expect(await money.of(person)).toHaveLength(1);
    expect(await money.plan(person)).toMatchObject({ credit_cents: 125 });
    const invoices = await test.callAsUser<UserInvoice[]>(person.user_id, 'invoices');
    expect(invoices.filter(({ credit_cents }) => credit_cents > 0)).toEqual([]);
    expect(await subjects(person)).toEqual(before);
    expect(await state(person)).toMatchObject({ status: 'active', entitled: false });
    await money.decide(id, 'won');
    expect(await state(person)).toMatchObject({ status: 'active', entitled: true });
    await test.advance(24 * 13);
    expect(await money.of(person)).toHaveLength(2);
    await expectLedger();
  });

  it('sends no email about texts that stay as they are', async () => {
    const person = await money.payer();
    await test.advance(24 * 31 + 2);
    const first = await money.dispute(person);
    const [, charge] = await money.of(person);
    const second = await test.sandbox.call<{ id: string }>('/sandbox/disputes', {
      charge: charge!.id,
    });
    await test.settle();
    await money.decide(first, 'won');
    const about = async () => (await subjects(person)).filter((one) => /texts are/.test(one));
    expect(await about()).toEqual(['Your texts are paused']);
    await money.decide(second.id, 'won');
    expect(await about()).toEqual(['Your texts are paused', 'Your texts are back']);
  });

  it("of an earlier subscription doesn't affect the current one, and sends no email", async () => {
    const person = await money.payer();
    const [charge] = await money.of(person);
    const { data } = await test.deps.stripe.subscriptions.list({
      customer: charge!.customer as string,
    });
    await test.deps.stripe.subscriptions.cancel(data[0]!.id);
    await test.settle();
    const { body } = await test.checkOut(person, {}, test.asUser(person.user_id));
    await test.pay(body.session_id);
    await test.settle();
    const before = await subjects(person);
    await test.sandbox.call('/sandbox/disputes', { charge: charge!.id });
    await test.settle();
    expect(await state(person)).toMatchObject({ status: 'active', entitled: true });
    expect(await subjects(person)).toEqual(before);
  });

  it('restores its pause, and the end of its pause, after someone changes them', async () => {
    const person = await money.payer();
    const [charge] = await money.of(person);
    const { stripe } = test.deps;
    const customer = charge!.customer as string;
    const read = async () => (await stripe.subscriptions.list({ customer })).data[0]!;
    const { id: subscription } = await read();
    const pause = { behavior: 'void' } as const;
    const id = await money.dispute(person);
    const { metadata } = await read();
    await stripe.subscriptions.update(subscription, { pause_collection: '' });
    await test.settle();
    expect((await read()).pause_collection).toMatchObject(pause);
    await money.decide(id, 'won');
    await stripe.subscriptions.update(subscription, { pause_collection: pause, metadata });
    await test.settle();
    expect((await read()).pause_collection).toBeNull();
    await stripe.subscriptions.update(subscription, { pause_collection: pause });
    await test.settle();
    expect((await read()).pause_collection).toMatchObject(pause);
  });

  it('allows free access, so texts continue before it is won', async () => {
    const person = await money.payer();
    const id = await money.dispute(person);
    const now = test.deps.clock.now().getTime();
    const role = 'owner' as const;
    const identity = { admin_id: crypto.randomUUID(), username: 'olive', role, session_version: 0 };
    const given = await test.app.inject({
      method: 'POST',
      url: `/admin/subscriptions/${person.user_id}/free-access`,
      headers: test.as({ kind: 'admin', ...identity }),
      payload: {
        reason: 'The bank made a mistake',
        request_key: crypto.randomUUID(),
        until: new Date(now + 40 * 86_400_000).toISOString().slice(0, 10),
      },
    });
    expect(given.statusCode).toBe(200);
    await test.settle();
    expect(await state(person)).toMatchObject({ status: 'active', entitled: true });
    await money.decide(id, 'won');
    expect(await subjects(person)).not.toContain('Your texts are back');
    const { next_charge } = await money.plan(person);
    expect(new Date(next_charge!.at).getTime()).toBeGreaterThan(now + 39 * 86_400_000);
  });

  it('rejects every plan change with the reason, except canceling', async () => {
    const person = await money.payer();
    await money.dispute(person);
    const headers = test.asUser(person.user_id);
    const change = (path: string, payload: object = {}) =>
      test.app.inject({ method: 'POST', url: `/users/me/plan/${path}`, headers, payload });
    const refused = await change('switch', { plan: 'yearly' });
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'PLAN_ON_HOLD']);
    expect((await change('cancel')).statusCode).toBe(200);
    expect((await money.plan(person)).actions).toEqual(['portal']);
    expect((await change('undo-cancel')).json().code).toBe('PLAN_ON_HOLD');
  });

  it.each([
    ['lost', { webhook: { drop: 1 } }],
    ['shuffled and doubled', { webhook: { reorder: 0.5, duplicate: 0.5, duplicate_copies: 3 } }],
  ])('whose events are %s ends in the same state', async (_name, faults) => {
    const person = await money.payer();
    await test.faults(faults);
    const id = await money.dispute(person);
    await money.decide(id, 'under_review');
    await test.advance(1);
    await test.repair();
    expect(await state(person)).toMatchObject({ entitled: false });
    await money.decide(id, 'won');
    await test.advance(1);
    await test.repair();
    expect(await state(person)).toMatchObject({ status: 'active', entitled: true });
    await expectLedger();
  });
});

it('an inquiry shows its deadline and changes nothing else', async () => {
  const person = await money.payer();
  const before = await money.ledger();
  const id = await money.dispute(person, { inquiry: true });
  expect(await state(person)).toMatchObject({ status: 'active', entitled: true });
  expect((await unanswered()).map((one) => one.id)).toContain(id);
  await money.decide(id, 'warning_closed');
  expect((await unanswered()).map((one) => one.id)).not.toContain(id);
  expect(await state(person)).toMatchObject({ status: 'active', entitled: true });
  expect(await expectLedger()).toBe(before);
});

it('a full refund returns the revenue and keeps the texts', async () => {
  const person = await money.payer();
  const [charge] = await money.of(person);
  await test.deps.stripe.refunds.create({ charge: charge!.id });
  await test.settle();
  expect(await state(person)).toMatchObject({ status: 'active', entitled: true });
  await expectLedger();
});

it('an invoice paid elsewhere restores the texts and brings no revenue', async () => {
  const person = await test.subscribe();
  await test.faults({ stripe: { charge_decline: 'insufficient_funds' } });
  await test.advance(24 * 3 + 2);
  await test.faults({});
  expect(await state(person)).toMatchObject({ status: 'past_due' });
  const { revenue } = money;
  const before = await revenue();
  const { data } = await test.deps.stripe.invoices.list({ status: 'open', limit: 1 });
  await test.deps.stripe.invoices.pay(data[0]!.id, { paid_out_of_band: true });
  await test.settle();
  expect(await state(person)).toMatchObject({ status: 'active', entitled: true });
  expect(await revenue()).toEqual(before);
  await expectLedger();
  const shown = await page(person);
  expect(shown.invoices[0]).toMatchObject({ status: 'paid', amount_cents: 499 });
  expect((await subjects(person)).filter((subject) => /receipt/.test(subject))).toEqual([]);
});

describe('with REFUND_ENDS_ACCESS=on', () => {
  let strict: TestBilling;
  let cash: ReturnType<typeof payments>;
  beforeAll(async () => {
    strict = await startBilling({ environment: { REFUND_ENDS_ACCESS: 'on' } });
    cash = payments(strict);
  });
  afterAll(() => strict.stop());

  it('a full refund stops the texts until the next payment, and a partial one keeps them', async () => {
    const person = await cash.payer();
    const { stripe } = strict.deps;
    const [charge] = await cash.of(person);
    await stripe.refunds.create({ charge: charge!.id, amount: 100 });
    await strict.settle();
    expect(await strict.state(person.user_id)).toMatchObject({ entitled: true });
    await stripe.refunds.create({ charge: charge!.id });
    await strict.settle();
    expect(await strict.state(person.user_id)).toMatchObject({ status: 'active', entitled: false });
    expect(await cash.plan(person)).toMatchObject({ hold: 'refunded' });
    await strict.advance(24 * 31 + 2);
    expect(await cash.of(person)).toHaveLength(2);
    expect(await strict.state(person.user_id)).toMatchObject({ entitled: true });
    expect((await cash.revenue()).total_cents).toBe(await cash.ledger());
  });

  it('a renewal paid with credit restores the texts too', async () => {
    const person = await cash.payer();
    const { stripe } = strict.deps;
    const [charge] = await cash.of(person);
    await stripe.refunds.create({ charge: charge!.id });
    const credit = { amount: -1000, currency: 'usd' };
    await stripe.customers.createBalanceTransaction(charge!.customer as string, credit);
    await strict.settle();
    expect(await strict.state(person.user_id)).toMatchObject({ entitled: false });
    await strict.advance(24 * 31 + 2);
    expect(await cash.of(person)).toHaveLength(1);
    expect(await cash.plan(person)).toMatchObject({ credit_cents: 501, hold: null });
    expect(await strict.state(person.user_id)).toMatchObject({ entitled: true });
  });
});
