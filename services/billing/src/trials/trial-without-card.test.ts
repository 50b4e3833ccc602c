import { hourMs } from '@daylift/clock/durations';
import type { PlanView } from '@daylift/contracts/billing.http';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { goodCard } from '../../test/cards.ts';
import { journeyMs, origin, startBilling, type TestBilling } from '../../test/harness.ts';

vi.setConfig({ testTimeout: journeyMs });
let test: TestBilling;
beforeAll(async () => {
  test = await startBilling({ clockStart: '2027-03-06T12:00:00Z' });
});
afterAll(() => test.stop());
beforeEach(() => test.reset());

type Person = { user_id: string };
const addedByStaff = (facts: Parameters<TestBilling['signUp']>[0] = {}) =>
  test.signUp({ created_by: 'admin', ...facts });
const readOwn = async <T>(url: string, { user_id }: Person): Promise<T> =>
  (await test.app.inject({ url, headers: test.asUser(user_id) })).json<T>();
const hoursBetween = (from: string | null | undefined, to: string | null | undefined) =>
  (Date.parse(to ?? '') - Date.parse(from ?? '')) / hourMs;
const charges = async () => (await test.deps.stripe.charges.list({ limit: 100 })).data.length;

it('a person signed up by staff gets the trial immediately, without a card or the provider', async () => {
  const facts = await addedByStaff({ plan: 'yearly' });
  const [state] = await test.states(facts.user_id);
  expect(state).toMatchObject({
    version: 1,
    status: 'trial',
    plan: 'yearly',
    entitled: true,
    entitled_until: state?.trial_end,
    cancel_at_period_end: false,
  });
  expect(hoursBetween(state?.entitled_since, state?.trial_end)).toBe(72);
  expect(hoursBetween(facts.registered_at, state?.entitled_since)).toBeCloseTo(0, 2);
  expect(await readOwn('/users/me/subscription', facts)).toMatchObject({
    status: 'trial',
    plan: 'yearly',
    trial_end_date: state?.trial_end,
  });
  const { data } = await test.deps.stripe.customers.list({ email: facts.email });
  expect(data).toEqual([]);
  // Repeated after the row exists: nothing starts again.
  await test.hear('accounts', 'accounts.user.registered', facts);
  expect(await test.states(facts.user_id)).toHaveLength(1);
});

it('self-signups get no trial without a checkout', async () => {
  const facts = await test.signUp();
  await test.settle();
  expect(await test.states(facts.user_id)).toEqual([]);
});

it('it ends without a charge, and a mail a day ahead explains how to continue', async () => {
  const before = await charges();
  const facts = await addedByStaff();
  await test.prove(facts);
  await test.advance(47);
  expect(await test.mails(facts.email)).toEqual([]);
  await test.advance(2);
  const mails = await test.mails(facts.email);
  expect(mails.map((mail) => mail.subject)).toEqual(['Your free trial ends on March 9, 2027']);
  expect(mails[0]?.text).toContain("You won't be charged");
  expect(mails[0]?.text).toContain('$4.99 a month, charged right away');
  expect(mails[0]?.text).toContain(`${origin}/upgrade`);
  await test.advance(24);
  expect(await test.state(facts.user_id)).toMatchObject({
    version: 2,
    status: 'expired',
    entitled: false,
    entitled_until: null,
  });
  expect(await test.mails(facts.email)).toHaveLength(1);
  expect(await charges()).toBe(before);
  expect(await readOwn('/users/me/plan', facts)).toMatchObject({ status: 'expired', actions: [] });
});

it.each([
  ['during the trial', 5],
  ['after it', 80],
])('a checkout %s is paid from the start, and texts continue', async (_, hours) => {
  const facts = await addedByStaff();
  const { entitled_since } = (await test.state(facts.user_id)) ?? {};
  await test.advance(hours);
  const { body } = await test.checkOut(facts, {}, test.asUser(facts.user_id));
  expect(body.trial_days).toBe(0);
  await test.pay(body.session_id, goodCard());
  await test.settle();
  expect(await test.state(facts.user_id)).toMatchObject({
    status: 'active',
    entitled: true,
    entitled_until: null,
    entitled_since,
    trial_end: null,
  });
  const subjects = (await test.mails(facts.email)).map((mail) => mail.subject);
  expect(subjects.filter((subject) => /receipt/.test(subject))).toHaveLength(1);
  expect((await readOwn<PlanView>('/users/me/plan', facts)).actions).toContain('switch');
});

it('it can only be changed by a checkout', async () => {
  const facts = await addedByStaff();
  expect(await readOwn('/users/me/plan', facts)).toMatchObject({
    status: 'trial',
    actions: ['checkout'],
    next_charge: null,
    card: null,
  });
  for (const action of ['upgrade', 'switch', 'cancel', 'undo-cancel']) {
    const response = await test.app.inject({
      method: 'POST',
      url: `/users/me/plan/${action}`,
      headers: test.asUser(facts.user_id),
      payload: action === 'upgrade' || action === 'switch' ? { plan: 'yearly' } : {},
    });
    expect(response.statusCode, action).toBe(409);
  }
  // The id alone opens no payment page; the subscriber must be signed in.
  expect((await test.checkOut(facts)).status).toBe(409);
});

it('it uses up the trial of the email and the number', async () => {
  const first = await addedByStaff();
  await test.prove(first);
  const same = { email_hash: first.email_hash };
  const second = await addedByStaff(same);
  expect(await test.states(second.user_id)).toEqual([]);
  expect(await readOwn('/users/me/subscription', second)).toMatchObject({ status: 'pending' });
  const samePhone = await test.signUp({ phone_hash: first.phone_hash });
  expect((await test.checkOut(samePhone)).body.trial_days).toBe(0);
  const subscriber = await test.subscribe();
  await test.prove(subscriber);
  const later = await addedByStaff({ phone_hash: subscriber.phone_hash });
  expect(await test.states(later.user_id)).toEqual([]);
});

it("STOP and START don't affect it, and a deletion ends it", async () => {
  const facts = await addedByStaff();
  const at = test.deps.clock.now().toISOString();
  const reply = { user_id: facts.user_id, at, source: 'keyword' };
  await test.hear('sms', 'sms.recipient.opted_out', reply);
  await test.hear('sms', 'sms.recipient.opted_in', reply);
  await test.settle();
  expect(await test.states(facts.user_id)).toHaveLength(1);
  await test.hear('accounts', 'accounts.user.deleted', { user_id: facts.user_id });
  await test.settle();
  expect(await test.state(facts.user_id)).toMatchObject({ status: 'canceled', entitled: false });
  await test.hear('accounts', 'accounts.user.registered', facts);
  expect(await test.states(facts.user_id)).toHaveLength(2);
});
