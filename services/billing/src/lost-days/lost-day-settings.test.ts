import type { LostDaySettings } from '@daylift/contracts/billing.http';
import type { AdminRole } from '@daylift/contracts/fields';
import { publishedEvents } from '@daylift/testing/published';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { journeyMs, startBilling, type TestBilling } from '../../test/harness.ts';
import { type Person, useLostDays } from '../../test/lost-days.ts';

vi.setConfig({ testTimeout: journeyMs });
let test: TestBilling;
beforeAll(async () => {
  test = await startBilling({ clockStart: '2027-03-20T12:00:00Z' });
});
afterAll(() => test.stop());

const url = '/admin/settings/lost-days';
const as = (role: AdminRole) =>
  test.as({
    kind: 'admin',
    admin_id: crypto.randomUUID(),
    username: role,
    role,
    session_version: 0,
  });
const read = async () =>
  (await test.app.inject({ url, headers: as('viewer') })).json<LostDaySettings>();
const save = (payload: object, role: AdminRole = 'owner') =>
  test.app.inject({ method: 'POST', url, headers: as(role), payload });
beforeEach(async () => void (await save({ enabled: true, max_days_per_month: 31 })));

const { paying, lostDay, publish } = useLostDays(() => test);
async function lose(person: Person, ...dates: string[]): Promise<void> {
  await publish(dates.map((date) => lostDay(person, new Date(`${date}T14:00:00Z`))));
  await test.settle();
}
async function creditOf({ user_id }: Person) {
  const headers = test.asUser(user_id);
  return (await test.app.inject({ url: '/users/me/plan', headers })).json().lost_days;
}

it('credits no more days than the limit of each calendar month', async () => {
  await save({ enabled: true, max_days_per_month: 2 });
  const person = await paying();
  const before = (await read()).this_month;
  await lose(person, '2027-03-28', '2027-03-29', '2027-03-30', '2027-04-01');
  expect(await creditOf(person)).toEqual({ days: 3, credit_cents: 51 });
  await lose(person, '2027-04-02', '2027-04-03');
  expect(await creditOf(person)).toEqual({ days: 4, credit_cents: 68 });
  expect(await read()).toEqual({
    enabled: true,
    max_days_per_month: 2,
    this_month: { days: 4, credit_cents: 68, currency: 'usd' },
  });
  expect(before.days).toBe(0);
});

it('never credits days decided while credits are off, and keeps earlier credit', async () => {
  const person = await paying();
  await lose(person, '2027-03-22');
  const credited = await creditOf(person);
  expect(credited.days).toBe(1);
  await save({ enabled: false, max_days_per_month: 31 });
  await lose(person, '2027-03-23');
  await save({ enabled: true, max_days_per_month: 31 });
  await lose(person, '2027-03-23', '2027-03-22');
  expect(await creditOf(person)).toEqual(credited);
});

it('only owners can change the settings, with an audit entry for each change', async () => {
  const actions = async () =>
    (await publishedEvents(test.db, 'billing.admin.acted')).map((event) => event.data);
  const before = (await actions()).length;
  for (const role of ['viewer', 'operator'] as const)
    expect((await save({ enabled: false, max_days_per_month: 5 }, role)).statusCode).toBe(403);
  expect((await read()).enabled).toBe(true);
  const promised = async () => (await test.app.inject('/plans')).json().lost_days_per_month;
  expect(await promised()).toBe(31);
  const saved = await save({ enabled: false, max_days_per_month: 5 });
  expect(await promised()).toBe(0);
  expect(saved.json()).toMatchObject({ enabled: false, max_days_per_month: 5 });
  await save({ enabled: false, max_days_per_month: 5 });
  expect((await actions()).slice(before)).toMatchObject([
    {
      username: 'owner',
      action: 'lost_day_settings.changed',
      details: { enabled: { from: true, to: false }, max_days_per_month: { from: 31, to: 5 } },
    },
  ]);
});

it.each([
  { enabled: true, max_days_per_month: 0 },
  { enabled: true, max_days_per_month: 32 },
  { enabled: true, max_days_per_month: 1.5 },
  { enabled: 'no', max_days_per_month: 5 },
  { enabled: true },
  { enabled: true, max_days_per_month: 5, more: 1 },
])('rejects %j', async (body) => {
  expect((await save(body)).statusCode).toBe(400);
});

it('needs a sign-in', async () => {
  expect((await test.app.inject({ url })).statusCode).toBe(401);
  const headers = test.asUser(crypto.randomUUID());
  expect((await test.app.inject({ url, headers })).statusCode).toBe(403);
});
