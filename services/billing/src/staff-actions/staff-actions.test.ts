import { randomUUID } from 'node:crypto';
import { dayMs } from '@daylift/clock/durations';
import type { AdminAction } from '@daylift/contracts/admin-action';
import type { PaymentStatus, PlanView, StaffOptions } from '@daylift/contracts/billing.http';
import type { AdminRole } from '@daylift/contracts/fields';
import type { BillingPart } from '@daylift/contracts/timeline-parts.http';
import { publishedEvents } from '@daylift/testing/published';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { failingCard, goodCard } from '../../test/cards.ts';
import { journeyMs, startBilling, type TestBilling } from '../../test/harness.ts';
import { customerOf, type Person, useLostDays } from '../../test/lost-days.ts';
import { taskHandlers } from '../tasks.ts';

vi.setConfig({ testTimeout: journeyMs });
let test: TestBilling;
beforeAll(async () => {
  test = await startBilling();
});
afterAll(() => test.stop());
beforeEach(() => test.reset());
const { paying } = useLostDays(() => test);

const admin = (role: AdminRole) =>
  test.as({
    ...{ kind: 'admin', admin_id: randomUUID(), username: 'olive', role, session_version: 0 },
  });

async function act(
  { user_id }: Person,
  what: string,
  body: Record<string, unknown>,
  { role = 'owner' as AdminRole, key = randomUUID() as string } = {},
) {
  const response = await test.app.inject({
    method: 'POST',
    url: `/admin/subscriptions/${user_id}/${what}`,
    headers: admin(role),
    payload: { reason: 'They asked by phone', request_key: key, ...body },
  });
  return { status: response.statusCode, body: response.json() };
}

async function options({ user_id }: Person, role: AdminRole = 'owner'): Promise<StaffOptions> {
  const url = `/admin/subscriptions/${user_id}/options`;
  return (await test.app.inject({ url, headers: admin(role) })).json();
}

async function planOf({ user_id }: Person): Promise<PlanView> {
  const headers = test.asUser(user_id);
  return (await test.app.inject({ url: '/users/me/plan', headers })).json();
}

async function timelineOf({ user_id }: Person): Promise<BillingPart> {
  const url = `/internal/timeline/${user_id}?kinds=payments,changes`;
  const headers = test.as({ kind: 'service', name: 'accounts' });
  return (await test.app.inject({ url, headers })).json();
}

async function auditOf({ user_id }: Person) {
  const events = await publishedEvents(test.db, 'billing.admin.acted');
  return events
    .map(({ data }) => data as AdminAction)
    .filter(({ target }) => target === user_id)
    .map(({ action, username, details }) => ({ action, username, details }));
}

async function subjects({ email }: { email: string }) {
  await test.settle();
  return (await test.mails(email)).map(({ subject }) => subject);
}

async function chargesOf(person: Person) {
  const customer = await customerOf(test, person);
  const { data } = await test.deps.stripe.charges.list({ customer });
  return data;
}
const refundedAt = async (person: Person) =>
  (await chargesOf(person)).reduce((total, charge) => total + charge.amount_refunded, 0);

/** Marks an action's task as failed five times. */
async function failTask(key: string): Promise<void> {
  const now = test.deps.clock.now();
  await test.db
    .updateTable('staff_actions')
    .set({ state: 'pending', ended_at: null })
    .where('id', '=', key)
    .execute();
  await test.db
    .updateTable('provider_tasks')
    .set({ done_at: null, parked_at: now, tries: 5 })
    .where('subject', '=', key)
    .execute();
}
const retry = (key: string) =>
  test.app.inject({
    method: 'POST',
    url: `/admin/parked/billing/task.staff_action.${key}/replay`,
    headers: admin('owner'),
  });

const days = (from: string | null | undefined, to: string | null | undefined) =>
  (Date.parse(to ?? '') - Date.parse(from ?? '')) / dayMs;
const inDays = (count: number) =>
  new Date(test.deps.clock.now().getTime() + count * dayMs).toISOString().slice(0, 10);

describe('a refund', () => {
  it('can be partial, and is audited, shown in the timeline and emailed', async () => {
    const person = await paying();
    await test.prove(person);
    const [invoice] = (await options(person)).refundable;
    expect(invoice).toMatchObject({ paid_cents: 499, left_cents: 499 });
    const invoice_id = invoice?.invoice_id;
    const refunded = await act(person, 'refund', { invoice_id, amount_cents: 123 });
    expect(refunded).toEqual({ status: 200, body: { state: 'done' } });
    await test.settle();
    expect(await refundedAt(person)).toBe(123);
    expect((await options(person)).refundable).toMatchObject([{ left_cents: 376 }]);
    expect(await auditOf(person)).toEqual([
      {
        action: 'user.refunded',
        username: 'olive',
        details: { amount: '$1.23', invoice: invoice_id, request: expect.any(String) },
      },
    ]);
    expect((await timelineOf(person)).refunds).toMatchObject([
      { amount_cents: 123, staff: { admin: 'olive', reason: 'They asked by phone' } },
    ]);
    expect((await timelineOf(person)).staff_actions).toEqual([]);
    expect(await subjects(person)).toContain("We've refunded $1.23");
  });

  it('is made once, however often and concurrently it is requested, and after a crash', async () => {
    const person = await paying();
    const invoice_id = (await options(person)).refundable[0]?.invoice_id;
    const key = randomUUID();
    const body = { invoice_id, amount_cents: 100 };
    const all = await Promise.all(
      Array.from({ length: 4 }, () => act(person, 'refund', body, { key })),
    );
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await act(person, 'refund', body, { key })).body).toEqual({ state: 'done' });
    expect(await act(person, 'refund', { ...body, amount_cents: 200 }, { key })).toMatchObject({
      status: 409,
      body: { code: 'REQUEST_KEY_REUSED' },
    });
    expect(await auditOf(person)).toHaveLength(1);
    // The crash came before the result was stored, and the provider has forgotten the key.
    await test.db
      .updateTable('staff_actions')
      .set({ state: 'pending', provider_id: null })
      .where('id', '=', key)
      .execute();
    await test.db
      .updateTable('provider_tasks')
      .set({ done_at: null, attempt: 7 })
      .where('subject', '=', key)
      .execute();
    await test.settle();
    expect((await act(person, 'refund', body, { key })).body).toEqual({ state: 'done' });
    expect(await refundedAt(person)).toBe(100);
  });

  it('is made once when the provider loses responses', async () => {
    const person = await paying();
    const invoice_id = (await options(person)).refundable[0]?.invoice_id;
    await test.faults({ accept_then_drop: { stripe: 0.6 } });
    const key = randomUUID();
    const refunding = act(person, 'refund', { invoice_id, amount_cents: 250 }, { key });
    await test.advance(1);
    await test.faults({});
    await test.advance(1);
    await refunding;
    expect((await act(person, 'refund', { invoice_id, amount_cents: 250 }, { key })).body).toEqual({
      state: 'done',
    });
    expect(await refundedAt(person)).toBe(250);
  });

  it('never exceeds the amount left, and says how much that is', async () => {
    const person = await paying();
    const invoice_id = (await options(person)).refundable[0]?.invoice_id;
    const both = await Promise.all(
      [300, 300].map((amount_cents) => act(person, 'refund', { invoice_id, amount_cents })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 409)?.body.detail).toBe(
      'Only $1.99 of this payment is left to refund.',
    );
    expect((await act(person, 'refund', { invoice_id, amount_cents: 199 })).status).toBe(200);
    expect(await act(person, 'refund', { invoice_id, amount_cents: 1 })).toMatchObject({
      status: 409,
      body: { code: 'NOTHING_TO_REFUND' },
    });
    expect(await refundedAt(person)).toBe(499);
    const other = await paying();
    expect((await act(other, 'refund', { invoice_id, amount_cents: 1 })).status).toBe(409);
  });
});

it('emails say what credit and free time do to the next bill', async () => {
  const mailed = async ({ email }: { email: string }) =>
    (await test.mails(email)).slice(-1).map(({ subject, text }) => `${subject}: ${text}`)[0];
  const person = await paying();
  await test.prove(person);
  await act(person, 'credit', { amount_cents: 600 });
  await test.settle();
  expect(await mailed(person)).toMatch(
    /^We've given you a \$6\.00 credit: .*We'll take it off your next bill\. Anything left over/s,
  );
  await act(person, 'free-days', { days: 7 });
  await test.settle();
  expect(await mailed(person)).toMatch(
    /Your next payment is due on \w+ \d+, 2027, but nothing will be charged\./,
  );
  await act(person, 'cancel', { when: 'now' });
  await test.settle();
  await act(person, 'credit', { amount_cents: 100 });
  await test.settle();
  const withoutPlan = "We'll take it off your next payment, if you have one.";
  expect(await mailed(person)).toContain(withoutPlan);
  const visitor = await test.signUp();
  await test.prove(visitor);
  await test.checkOut(visitor);
  await act(visitor, 'credit', { amount_cents: 100 });
  await test.settle();
  expect(await mailed(visitor)).toContain(withoutPlan);
  const trial = await test.subscribe();
  await test.prove(trial);
  await act(trial, 'extend-trial', { days: 7 });
  await test.settle();
  expect(await mailed(trial)).toMatch(
    /^Your free trial now ends on .*We've extended your free trial.*Your next charge is \$4\.99/s,
  );
});

it('credit is taken off the next charge, once per key', async () => {
  const person = await paying();
  const key = randomUUID();
  for (const _ of [1, 2])
    expect((await act(person, 'credit', { amount_cents: 150 }, { key })).status).toBe(200);
  expect(await planOf(person)).toMatchObject({
    credit_cents: 150,
    next_charge: { amount_cents: 349 },
  });
  expect((await timelineOf(person)).staff_actions).toMatchObject([
    { kind: 'credit', state: 'done', amount_cents: 150, admin: 'olive' },
  ]);
  const unpaid = await test.signUp();
  expect(await act(unpaid, 'credit', { amount_cents: 150 })).toMatchObject({
    status: 409,
    body: { code: 'NO_PROVIDER_CUSTOMER' },
  });
});

describe('free days', () => {
  it('move the next charge of a paid plan and keep it paid', async () => {
    const person = await paying();
    const before = await planOf(person);
    expect((await act(person, 'free-days', { days: 10 })).status).toBe(200);
    await test.settle();
    const after = await planOf(person);
    expect(after).toMatchObject({ status: 'active', trial_end_date: null });
    expect(days(before.current_period_end, after.current_period_end)).toBe(10);
    expect(after.next_charge).toEqual({ at: after.current_period_end, amount_cents: 499 });
    expect(after.free_until).toBe(after.current_period_end);
    await act(person, 'free-days', { days: 5 });
    expect(days(before.current_period_end, (await planOf(person)).current_period_end)).toBe(15);
    const { changes } = await timelineOf(person);
    expect(changes[0]?.after).toMatchObject({ actor: 'system', staff: 'olive', status: 'active' });
    await test.advance(24 * 44);
    expect(await chargesOf(person)).toHaveLength(1);
    await test.advance(24 * 3);
    expect(await chargesOf(person)).toHaveLength(2);
    const renewed = await planOf(person);
    expect(renewed).toMatchObject({ status: 'active', free_until: null, trial_end_date: null });
  });

  it('extend a trial, and the access of a canceled plan and of a trial without a card', async () => {
    const trial = await test.subscribe();
    const before = await planOf(trial);
    expect((await act(trial, 'free-days', { days: 4 })).body.code).toBe('IN_TRIAL');
    expect((await act(trial, 'extend-trial', { days: 4 })).status).toBe(200);
    const after = await planOf(trial);
    expect(after.status).toBe('trial');
    expect(days(before.trial_end_date, after.trial_end_date)).toBe(4);

    const canceled = await paying();
    await test.app.inject({
      ...{ method: 'POST', url: '/users/me/plan/cancel', headers: test.asUser(canceled.user_id) },
    });
    const end = (await planOf(canceled)).current_period_end;
    expect((await act(canceled, 'free-days', { days: 3 })).status).toBe(200);
    const { free_until } = await planOf(canceled);
    expect(days(end, free_until)).toBe(3);
    await test.advance(24 * 32);
    expect(await test.state(canceled.user_id)).toMatchObject({
      status: 'canceled',
      entitled: true,
    });
    await test.advance(24 * 2);
    expect(await test.state(canceled.user_id)).toMatchObject({ entitled: false });
    expect(await chargesOf(canceled)).toHaveLength(1);

    const added = await test.signUp({ created_by: 'admin' });
    const first = await planOf(added);
    expect((await act(added, 'extend-trial', { days: 7 })).status).toBe(200);
    expect(days(first.trial_end_date, (await planOf(added)).trial_end_date)).toBe(7);
  });

  it('are rejected while others are pending, as is a cancellation, so none are lost', async () => {
    const person = await paying();
    const before = await planOf(person);
    await test.faults({ stripe_down: true });
    const first = act(person, 'free-days', { days: 10 });
    await vi.waitFor(async () => expect((await options(person)).pending).toEqual(['free_days']));
    expect(await act(person, 'free-days', { days: 5 })).toMatchObject({
      status: 409,
      body: { code: 'FREE_TIME_PENDING' },
    });
    expect(await act(person, 'cancel', { when: 'now' })).toMatchObject({
      status: 409,
      body: { code: 'FREE_TIME_PENDING' },
    });
    await test.faults({});
    await test.advance(1);
    expect((await first).status).toBe(200);
    expect((await act(person, 'free-days', { days: 5 })).status).toBe(200);
    expect(days(before.current_period_end, (await planOf(person)).current_period_end)).toBe(15);
  });

  it('are rejected cleanly when there is nothing to extend', async () => {
    const unpaid = await test.signUp();
    expect((await act(unpaid, 'free-days', { days: 3 })).body.code).toBe('NO_PLAN_TO_CHANGE');
    expect((await act(unpaid, 'extend-trial', { days: 3 })).body.code).toBe('NOT_IN_TRIAL');
    const owing = await test.subscribe({}, failingCard());
    await test.advance(96);
    expect((await act(owing, 'free-days', { days: 3 })).body.code).toBe('PAYMENT_OVERDUE');
  });
});

describe('free access', () => {
  it('lasts through its date without a plan, and counts as no payment', async () => {
    const person = await test.signUp();
    await test.prove(person);
    const until = inDays(5);
    expect((await act(person, 'free-access', { until })).status).toBe(200);
    const state = await test.state(person.user_id);
    expect(state).toMatchObject({ status: 'expired', entitled: true, by_staff: true });
    const listed = await test.app.inject({
      url: '/admin/subscriptions?limit=500',
      headers: admin('operator'),
    });
    expect(listed.json()).toContainEqual(
      expect.objectContaining({ user_id: person.user_id, status: 'free_access' }),
    );
    const own = await test.app.inject({
      url: '/users/me/subscription',
      headers: test.asUser(person.user_id),
    });
    expect(own.json()).toMatchObject({ status: 'active' });
    const stored = await test.app.inject({
      url: `/internal/export/${person.user_id}`,
      headers: test.as({ kind: 'service', name: 'accounts' }),
    });
    expect(stored.json()).toMatchObject({ subscription: { status: 'active' } });
    const plan = await planOf(person);
    expect(plan.free_until).toBe(state?.entitled_until);
    const shown = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' });
    expect(shown.format(new Date(plan.free_until ?? ''))).toBe(until);
    expect((await subjects(person)).join()).toMatch(/Your texts are free until/);
    const { subscriptions } = (
      await test.app.inject({
        url: '/internal/live',
        headers: test.as({ kind: 'service', name: 'gateway' }),
      })
    ).json();
    const paid = await test.db
      .selectFrom('subscriptions')
      .select('user_id')
      .where('status', '=', 'active')
      .execute();
    expect(subscriptions.active).toBe(paid.length);
    await test.advance(24 * 7);
    expect(await test.state(person.user_id)).toMatchObject({ entitled: false });
  });

  it('moves the next charge of a plan that renews, and rejects an earlier date', async () => {
    const person = await paying();
    const rejected = await act(person, 'free-access', { until: inDays(3) });
    expect(rejected.body.detail).toMatch(
      /^This subscriber already has access through .*Choose a later date\.$/,
    );
    const until = inDays(60);
    expect((await act(person, 'free-access', { until })).status).toBe(200);
    const { free_until, next_charge } = await planOf(person);
    expect(next_charge?.at).toBe(free_until);
    expect((await act(person, 'free-access', { until: inDays(900) })).body.code).toBe(
      'DATE_TOO_FAR',
    );
  });
});

describe('free access that ends within hours', () => {
  const almostOver = async (person: Person, hours = 10) => {
    await act(person, 'free-access', { until: inDays(3) });
    const { free_until } = await planOf(person);
    const left = days(test.deps.clock.now().toISOString(), free_until) * 24;
    // Free access ends a second before the hour, and the first charge is rounded up to the hour.
    await test.advance(left - hours + 1 / 60);
    return free_until;
  };
  const checkOut = async (person: Person, card?: string) => {
    const asOwner = test.asUser(person.user_id);
    const { body } = await test.checkOut(person, {}, asOwner);
    expect((await test.checkOut(person, {}, asOwner)).body).toEqual(body);
    await test.pay(body.session_id, card);
    await test.settle();
    return body.trial_days;
  };

  it("isn't shortened by the first charge of a plan chosen meanwhile", async () => {
    const person = await paying();
    await act(person, 'cancel', { when: 'now' });
    const end = await almostOver(person);
    const { first_charge_at } = await planOf(person);
    expect(await checkOut(person)).toBe(0);
    const plan = await planOf(person);
    expect(plan).toMatchObject({ status: 'active', next_charge: { at: first_charge_at } });
    expect(days(end, plan.next_charge?.at)).toBeGreaterThan(0);
    expect(days(end, plan.next_charge?.at)).toBeLessThan(2);
    await test.advance(24);
    expect(await chargesOf(person)).toHaveLength(1);
    await test.advance(36);
    expect(await chargesOf(person)).toHaveLength(2);
  });

  it('is part of the trial of a first plan', async () => {
    const person = await test.signUp();
    await almostOver(person);
    expect(await planOf(person)).not.toHaveProperty('first_charge_at');
    expect(await checkOut(person)).toBe(3);
    const trial = await planOf(person);
    expect(trial).toMatchObject({ status: 'trial' });
    expect(trial.actions).not.toContain('upgrade');
    const upgrade = { plan: 'monthly' };
    expect(await test.callAsUser(person.user_id, 'plan/upgrade', upgrade)).toMatchObject({
      code: 'STILL_FREE',
    });
    await test.advance(11);
    expect((await planOf(person)).actions).toContain('upgrade');
  });

  it("isn't charged for if a first plan's trial ends immediately, because its card had one", async () => {
    const card = goodCard();
    await test.subscribe({}, card);
    const person = await test.signUp();
    await test.prove(person);
    const end = await almostOver(person);
    const { body } = await test.checkOut(person, {}, test.asUser(person.user_id));
    expect(body.trial_days).toBe(3);
    await test.pay(body.session_id, card);
    const status = async () =>
      (await test.app.inject(`/payments/status/${body.session_id}`)).json<PaymentStatus>();
    const shown = await status();
    expect(shown).toMatchObject({ payment_status: 'paid', trial: false });
    expect(days(end, shown.first_charge_at)).toBeGreaterThan(0);
    await test.settle();
    const plan = await planOf(person);
    expect(plan).toMatchObject({ status: 'active', trial_end_date: null });
    expect(await status()).toMatchObject({ trial: false, first_charge_at: plan.next_charge?.at });
    expect(days(end, plan.next_charge?.at)).toBeGreaterThan(0);
    expect(days(end, plan.next_charge?.at)).toBeLessThan(2);
    expect(await chargesOf(person)).toEqual([]);
    await test.advance(1 / 30);
    expect((await subjects(person)).at(-1)).toMatch(/^Your plan starts on /);
  });

  it('is followed by an announced charge even if the response that moved it was lost', async () => {
    const card = goodCard();
    await test.subscribe({}, card);
    const person = await test.signUp();
    await test.prove(person);
    await almostOver(person);
    const { subscriptions } = test.deps.stripe;
    const update = subscriptions.update.bind(subscriptions);
    const lost = vi.spyOn(subscriptions, 'update').mockImplementation(async (...request) => {
      lost.mockRestore();
      // Its webhook is lost, too.
      await test.faults({ webhook: { drop: 1 } });
      await update(...request);
      throw new Error('no response');
    });
    await checkOut(person, card);
    await test.advance(1 / 30);
    expect((await subjects(person)).at(-1)).toMatch(/^Your plan starts on /);
  });

  it("isn't followed by a later charge if a first plan's trial ends immediately", async () => {
    const first = await test.subscribe();
    await test.prove(first);
    const person = await test.signUp();
    await almostOver(person, 48);
    expect(await checkOut(person)).toBe(3);
    const { trial_end_date: trialEnd } = await planOf(person);
    await test.advance(40);
    await test.prove(person, { phone_hash: first.phone_hash });
    await test.settle();
    const { trial_end_date, next_charge } = await planOf(person);
    expect([trial_end_date, next_charge?.at]).toEqual([null, trialEnd]);
  });
});

describe('an action whose task failed', () => {
  it('counts as failed, in limits and attributions too, until a retry completes it', async () => {
    const person = await paying();
    const key = randomUUID();
    const body = { days: 10 };
    const operator = { role: 'operator' as const, key };
    expect((await act(person, 'free-days', body, operator)).status).toBe(200);
    await failTask(key);
    expect(await options(person, 'operator')).toMatchObject({ pending: [], left: { days: 30 } });
    const [entry] = (await timelineOf(person)).staff_actions ?? [];
    expect(entry).toMatchObject({ state: 'failed', error: expect.stringMatching(/Failed events/) });
    expect((await act(person, 'free-days', body, operator)).body).toEqual({
      ...{ code: 'STAFF_ACTION_FAILED', detail: entry?.error, request_id: expect.any(String) },
    });
    await test.app.inject({
      ...{ method: 'POST', url: '/users/me/plan/cancel', headers: test.asUser(person.user_id) },
    });
    expect((await timelineOf(person)).changes[0]?.after).not.toHaveProperty('staff');
    await retry(key);
    await test.settle();
    expect((await timelineOf(person)).staff_actions).toMatchObject([
      { state: 'done', error: null },
    ]);
    expect((await options(person, 'operator')).left).toMatchObject({ days: 20 });
  });

  it("doesn't shorten later free access when it is retried", async () => {
    const person = await test.signUp();
    const key = randomUUID();
    await act(person, 'free-access', { until: inDays(5) }, { key });
    await failTask(key);
    expect((await act(person, 'free-access', { until: inDays(9) })).status).toBe(200);
    const { free_until } = await planOf(person);
    await retry(key);
    await test.settle();
    expect((await planOf(person)).free_until).toBe(free_until);
  });

  it('is applied once if two workers run it', async () => {
    const person = await test.signUp();
    const key = randomUUID();
    await act(person, 'free-access', { until: inDays(5) }, { key });
    await failTask(key);
    const before = (await test.states(person.user_id)).length;
    await Promise.all([1, 2].map(() => taskHandlers.staff_action(test.deps, key, key)));
    expect((await test.states(person.user_id)).length).toBe(before + 1);
  });
});

describe('a cancellation by staff', () => {
  it("isn't undone by a START that waited for the provider", async () => {
    const person = await paying();
    const reply = (type: 'opted_out' | 'opted_in', secondsAgo: number, more = {}) => {
      const at = new Date(test.deps.clock.now().getTime() - secondsAgo * 1000).toISOString();
      return test.hear('sms', `sms.recipient.${type}`, { user_id: person.user_id, at, ...more });
    };
    await test.faults({ stripe_down: true });
    await reply('opted_out', 2, { source: 'keyword' });
    await reply('opted_in', 1);
    await test.settle();
    await test.faults({});
    expect((await act(person, 'cancel', { when: 'period_end' })).status).toBe(200);
    await test.advance(1);
    expect(await planOf(person)).toMatchObject({ cancel_at_period_end: true });
  });

  it('now ends the texts, at the period end keeps them, and neither charges again', async () => {
    const now = await paying();
    expect((await act(now, 'cancel', { when: 'now' })).status).toBe(200);
    expect(await test.state(now.user_id)).toMatchObject({ status: 'canceled', entitled: false });
    expect(await subjects(now)).toContain('Your subscription has ended');
    const ended = (await test.mails(now.email)).at(-1)?.text ?? '';
    expect(ended.match(/Questions\?/g)).toHaveLength(1);
    expect((await act(now, 'cancel', { when: 'now' })).body.code).toBe('NO_PLAN_TO_CHANGE');
    const later = await paying();
    expect((await act(later, 'cancel', { when: 'period_end' })).status).toBe(200);
    expect(await test.state(later.user_id)).toMatchObject({ entitled: true });
    expect((await act(later, 'cancel', { when: 'period_end' })).body.code).toBe('ALREADY_CANCELED');
    expect((await timelineOf(later)).changes[0]?.after).toMatchObject({ staff: 'olive' });
    await test.advance(24 * 34);
    expect(await test.state(later.user_id)).toMatchObject({ status: 'canceled', entitled: false });
    expect([await chargesOf(now), await chargesOf(later)].map((one) => one.length)).toEqual([1, 1]);
  });

  it('now ends free access and a trial without a card', async () => {
    const added = await test.signUp({ created_by: 'admin' });
    const given = await test.signUp();
    await act(given, 'free-access', { until: inDays(9) });
    for (const person of [added, given]) {
      expect((await act(person, 'cancel', { when: 'now' })).status).toBe(200);
      expect(await test.state(person.user_id)).toMatchObject({ entitled: false });
    }
  });
});

describe('roles', () => {
  it('limit what operators give one subscriber within 30 days, not what owners give', async () => {
    const person = await paying();
    const operator = { role: 'operator' as const };
    expect((await options(person, 'operator')).left).toEqual({ cents: 5_000, days: 30 });
    expect((await act(person, 'credit', { amount_cents: 4_999 }, operator)).status).toBe(200);
    expect(await act(person, 'credit', { amount_cents: 2 }, operator)).toMatchObject({
      status: 403,
      body: {
        code: 'OVER_OPERATOR_LIMIT',
        detail:
          'Operators can give one subscriber up to $50.00 in 30 days. Ask an owner to do this.',
      },
    });
    expect((await options(person, 'operator')).left).toEqual({ cents: 1, days: 30 });
    expect((await act(person, 'free-days', { days: 31 }, operator)).status).toBe(403);
    expect((await act(person, 'credit', { amount_cents: 6_000 })).status).toBe(200);
    expect((await options(person)).left).toBeNull();
    expect((await act(person, 'credit', { amount_cents: 1 }, operator)).status).toBe(200);
  });

  it('reject viewers, subscribers and visitors', async () => {
    const person = await test.signUp();
    expect((await act(person, 'credit', { amount_cents: 1 }, { role: 'viewer' })).status).toBe(403);
    const url = `/admin/subscriptions/${person.user_id}/options`;
    expect((await test.app.inject({ url, headers: admin('viewer') })).statusCode).toBe(403);
    expect((await test.app.inject({ url })).statusCode).toBe(401);
    expect((await act({ user_id: randomUUID() }, 'credit', { amount_cents: 1 })).status).toBe(404);
    expect((await act(person, 'credit', { amount_cents: 1, reason: '  ' })).status).toBe(400);
    expect((await act(person, 'credit', { amount_cents: 1.5 })).status).toBe(400);
  });

  it("get a link to the customer's page at the provider, except in the sandbox", async () => {
    const person = await test.signUp();
    await test.checkOut(person);
    const id = await customerOf(test, person);
    expect((await options(person)).customer_url).toBeNull();
    test.deps.providerPages = 'https://dashboard.stripe.com/test';
    expect((await options(person)).customer_url).toBe(
      `https://dashboard.stripe.com/test/customers/${id}`,
    );
  });
});

it('a deleted account keeps no free access and no reasons', async () => {
  const person = await test.signUp();
  await act(person, 'free-access', { until: inDays(9), reason: 'A friend of Wilhelmina' });
  await test.db
    .updateTable('staff_actions')
    .set({ error: "The payment provider rejected this: Wilhelmina's card" })
    .where('user_id', '=', person.user_id)
    .execute();
  await test.hear('accounts', 'accounts.user.deleted', { user_id: person.user_id });
  await test.settle();
  expect(await test.state(person.user_id)).toMatchObject({ entitled: false });
  const stored = await test.db
    .selectFrom('staff_actions')
    .select(['reason', 'error'])
    .where('user_id', '=', person.user_id)
    .execute();
  expect(stored).toEqual([{ reason: '', error: null }]);
  const published = await publishedEvents(test.db, 'billing.admin.acted');
  expect(JSON.stringify(published)).not.toContain('Wilhelmina');
});
