import { randomUUID } from 'node:crypto';
import type { PlanView } from '@daylift/contracts/billing.http';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { failingCard, goodCard } from '../../test/cards.ts';
import { payments } from '../../test/disputes.ts';
import { journeyMs, origin, startBilling, type TestBilling } from '../../test/harness.ts';
import { customerOf, type Person, useLostDays } from '../../test/lost-days.ts';

vi.setConfig({ testTimeout: journeyMs });
let test: TestBilling;
beforeAll(async () => {
  // A period from January 31 to February 28.
  test = await startBilling({ clockStart: '2027-01-31T00:00:00Z' });
});
afterAll(() => test.stop());
beforeEach(() => test.reset());

const { paying, inHours, lostDay, publish, decisionsOf, bookings } = useLostDays(() => test);
async function lose(person: Person, at: Date): Promise<void> {
  await publish([lostDay(person, at)]);
  await test.settle();
}
const call = (person: Person, method: 'GET' | 'POST', path: string, payload = {}) =>
  test.app.inject({
    method,
    url: `/users/me/${path}`,
    headers: test.asUser(person.user_id),
    ...(method === 'POST' && { payload }),
  });
async function giveFreeDays({ user_id }: Person, days: number): Promise<void> {
  const response = await test.app.inject({
    method: 'POST',
    url: `/admin/subscriptions/${user_id}/free-days`,
    headers: test.as({
      ...{ kind: 'admin', admin_id: randomUUID(), username: 'olive', role: 'owner' },
      session_version: 0,
    }),
    payload: { days, reason: 'An outage', request_key: randomUUID() },
  });
  expect(response.statusCode).toBe(200);
  await test.settle();
}
async function refund(person: Person, amount?: number): Promise<void> {
  const customer = await customerOf(test, person);
  const { data } = await test.deps.stripe.charges.list({ customer });
  const charge = data.find((one) => one.status === 'succeeded')!.id;
  await test.deps.stripe.refunds.create({ charge, ...(amount && { amount }) });
  await test.settle();
}

it('a day of a month-end period is worth its share of the actual days', async () => {
  const person = await paying();
  await lose(person, inHours(30));
  // $4.99 over 28 days: 17.8 cents. Over January's 31 days: 16.1.
  expect(await decisionsOf(person)).toEqual([['credited', 18]]);
});

it('a paid day keeps its value when free days follow, and a free day has none', async () => {
  const person = await paying();
  await giveFreeDays(person, 10);
  await lose(person, inHours(30));
  await lose(person, inHours(24 * 30));
  expect(await decisionsOf(person)).toEqual([
    ['credited', 18],
    ['unpaid', 0],
  ]);
  const canceled = await paying();
  await call(canceled, 'POST', 'plan/cancel');
  await giveFreeDays(canceled, 5);
  await lose(canceled, inHours(30));
  await lose(canceled, inHours(24 * 30));
  expect(await decisionsOf(canceled)).toEqual([
    ['credited', 18],
    ['unpaid', 0],
  ]);
});

it('a refunded period credits no more than what was kept', async () => {
  const [whole, part] = [await paying(), await paying()];
  await refund(whole);
  await refund(part, 490);
  await lose(whole, inHours(30));
  await lose(part, inHours(30));
  await lose(part, inHours(54));
  expect(await decisionsOf(whole)).toEqual([['unpaid', 0]]);
  expect(await decisionsOf(part)).toEqual([
    ['credited', 9],
    ['over_limit', 0],
  ]);
});

it("a refund of the next plan doesn't take credit from the period before", async () => {
  const person = await paying();
  await test.advance(30);
  const lost = inHours(-6);
  await call(person, 'POST', 'plan/switch', { plan: 'yearly' });
  await test.settle();
  await refund(person);
  await lose(person, lost);
  expect(await decisionsOf(person)).toEqual([['credited', 18]]);
});

it('a day in grace is credited once when its period is paid later', async () => {
  await test.faults({ stripe: { retry_days: [3, 6] } });
  const person = await test.subscribe({}, failingCard());
  await test.advance(96);
  const lost = inHours(-2);
  await lose(person, lost);
  expect(await decisionsOf(person)).toEqual([['unpaid', 0]]);
  const portal = await call(person, 'POST', 'plan/portal', { origin_url: origin });
  const form = { card_number: goodCard(), expiry: '12/40', cvc: '123', name: 'Ada' };
  await fetch(portal.json().url, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ action: 'update_card', ...form }),
  });
  await test.settle();
  await call(person, 'POST', 'plan/pay', { charge_now_cents: 499 });
  await test.settle();
  await lose(person, lost);
  expect(await decisionsOf(person)).toEqual([['credited', 18]]);
  expect(await bookings(person)).toEqual([-18]);
});

it('a day after the trial is credited even if the renewal was noticed later', async () => {
  const person = await test.subscribe();
  const { trial_end } = (await test.state(person.user_id))!;
  await test.advance((Date.parse(trial_end!) - test.deps.clock.now().getTime()) / 3_600_000 - 1);
  await test.faults({ stripe_down: true });
  await test.advance(2);
  await test.faults({});
  await test.advance(2);
  await lose(person, new Date(Date.parse(trial_end!) + 1_800_000));
  expect((await decisionsOf(person))[0]?.[0]).toBe('credited');
});

it("a debt below the provider's minimum isn't shown as used credit", async () => {
  const person = await paying();
  await test.deps.stripe.customers.createBalanceTransaction(await customerOf(test, person), {
    amount: -480,
    currency: 'usd',
  });
  await test.advance(24 * 31 + 2);
  const [last] = await test.db
    .selectFrom('invoices')
    .select(['total_cents', 'amount_paid_cents', 'credit_cents'])
    .where('user_id', '=', person.user_id)
    .orderBy('created_at', 'desc')
    .execute();
  expect(last).toEqual({ total_cents: 499, amount_paid_cents: 0, credit_cents: 480 });
});

it('a day paid after earlier free days is credited, even if free days follow again', async () => {
  const person = await paying();
  await giveFreeDays(person, 3);
  await test.advance(24 * 36);
  await giveFreeDays(person, 3);
  await lose(person, inHours(30));
  expect((await decisionsOf(person))[0]?.[0]).toBe('credited');
});

it('a day of a period whose invoice was voided during a dispute has no value', async () => {
  const money = payments(test);
  const person = await money.payer();
  const id = await money.dispute(person);
  await test.advance(24 * 31 + 2);
  await money.decide(id, 'won');
  await lose(person, inHours(24));
  expect(await decisionsOf(person)).toEqual([['unpaid', 0]]);
  expect(await bookings(person)).toEqual([]);
});

it('a day of a period whose payment the bank has returned has no value', async () => {
  const money = payments(test);
  const person = await money.payer();
  await test.advance(48);
  const [first, second] = [inHours(-30), inHours(-6)];
  const id = await money.dispute(person);
  await lose(person, first);
  await money.decide(id, 'lost');
  await lose(person, second);
  expect(await decisionsOf(person)).toEqual([
    ['unpaid', 0],
    ['unpaid', 0],
  ]);
  expect(await bookings(person)).toEqual([]);
});

it('a day lost before a dispute is credited once we win it, before the next payment', async () => {
  const money = payments(test);
  const person = await money.payer();
  await test.advance(48);
  const id = await money.dispute(person);
  await lose(person, inHours(-30));
  expect(await decisionsOf(person)).toEqual([['unpaid', 0]]);
  await money.decide(id, 'won');
  const [decided] = await decisionsOf(person);
  expect(decided?.[0]).toBe('credited');
  expect(await bookings(person)).toEqual([-Number(decided?.[1])]);
});

it('a day keeps the value of its period after a renewal at another price or a switch to another plan', async () => {
  const [moved, switched] = [await paying(), await paying()];
  for (const person of [moved, switched]) await test.prove(person);
  const { monthly } = test.deps.catalogue.plans;
  monthly.price_cents = 999;
  test.deps.prices.forget();
  const move = { plan: 'monthly', from_cents: 499, to_cents: 999, reason: 'Texts cost more' };
  const url = '/admin/price-moves';
  const payload = { ...move, request_key: randomUUID() };
  const owner = { kind: 'admin' as const, admin_id: randomUUID(), username: 'olive' };
  const headers = test.as({ ...owner, role: 'owner', session_version: 0 });
  expect((await test.app.inject({ method: 'POST', url, headers, payload })).statusCode).toBe(200);
  await test.settle();
  const plan = async (person: Person) => (await call(person, 'GET', 'plan')).json<PlanView>();
  const at = Date.parse((await plan(moved)).price_change?.at ?? '');
  const untilRenewal = () => (at - test.deps.clock.now().getTime()) / 3_600_000;
  await test.advance(untilRenewal() - 24);
  const days = [inHours(-40), inHours(-16)] as const;
  for (const person of [moved, switched]) await lose(person, days[0]);
  await call(switched, 'POST', 'plan/switch', { plan: 'yearly' });
  await test.advance(untilRenewal() + 2);
  expect((await plan(moved)).price_cents).toBe(999);
  expect((await plan(switched)).plan).toBe('yearly');
  for (const person of [moved, switched]) {
    await lose(person, days[1]);
    const [before, after] = await decisionsOf(person);
    expect(before?.[0]).toBe('credited');
    expect(after).toEqual(before);
  }
});
