import { randomUUID } from 'node:crypto';
import type { AdminSubscription } from '@daylift/contracts/timeline.http';
import type { BillingPart, Standing } from '@daylift/contracts/timeline-parts.http';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { journeyMs, startBilling, type TestBilling } from '../../test/harness.ts';

vi.setConfig({ testTimeout: journeyMs });
let test: TestBilling;
beforeAll(async () => {
  test = await startBilling();
});
afterAll(() => test.stop());

type Person = { user_id: string };
async function readInternal<T>(path: string): Promise<T> {
  const headers = test.as({ kind: 'service', name: 'accounts' });
  const response = await test.app.inject({ url: `/internal/${path}`, headers });
  expect(response.statusCode).toBe(200);
  return response.json<T>();
}
const timelineOf = ({ user_id }: Person, kinds = 'payments,changes', more = '') =>
  readInternal<BillingPart>(`timeline/${user_id}?kinds=${kinds}${more}`);
const standingAt = ({ user_id }: Person, at: Date) =>
  readInternal<Standing>(`standing/${user_id}?at=${at.toISOString()}`);
async function plan({ user_id }: Person, action: string, payload: object = {}) {
  const headers = test.asUser(user_id);
  await test.app.inject({ method: 'POST', url: `/users/me/plan/${action}`, headers, payload });
  await test.settle();
}

it('returns each state of a subscription with the previous one and the actor', async () => {
  const before = test.deps.clock.now();
  const person = await test.subscribe();
  const startedAt = test.deps.clock.now();
  await test.advance(1);
  await plan(person, 'cancel');
  await test.advance(1);
  await plan(person, 'undo-cancel');
  const at = test.deps.clock.now().toISOString();
  const stop = { user_id: person.user_id, at, source: 'keyword' };
  await test.hear('sms', 'sms.recipient.opted_out', stop);
  await test.settle();
  const { changes } = await timelineOf(person);
  const shown = changes.map(({ after, before: earlier }) => [
    after.actor,
    after.status,
    earlier?.cancel_at_period_end ?? null,
    after.cancel_at_period_end,
  ]);
  expect(shown).toEqual([
    ['reply', 'trial', false, true],
    ['subscriber', 'trial', true, false],
    ['subscriber', 'trial', false, true],
    ['subscriber', 'trial', null, false],
  ]);
  expect(await standingAt(person, new Date(before.getTime() - 1000))).toEqual({
    known: true,
    subscription: null,
  });
  expect(await standingAt(person, startedAt)).toMatchObject({
    known: true,
    subscription: { status: 'trial', entitled: true, cancel_at_period_end: false },
  });
});

it('returns invoices, refunds and renewals, newest first, up to an instant', async () => {
  const person = await test.subscribe();
  await plan(person, 'upgrade', { plan: 'monthly' });
  const paidAt = test.deps.clock.now();
  const { data } = await test.deps.stripe.charges.list({ limit: 1 });
  await test.advance(2);
  await test.deps.stripe.refunds.create({ charge: data[0]!.id, amount: 100 });
  await test.settle();
  const all = await timelineOf(person);
  expect(all.invoices).toMatchObject([{ amount_cents: 499, status: 'paid', currency: 'usd' }]);
  expect(all.refunds).toMatchObject([{ amount_cents: 100, status: 'succeeded' }]);
  expect(all.changes.map(({ after }) => [after.actor, after.status])).toEqual([
    ['subscriber', 'active'],
    ['subscriber', 'trial'],
  ]);
  const earlier = await timelineOf(person, 'payments', `&until=${paidAt.toISOString()}`);
  expect([earlier.invoices.length, earlier.refunds.length]).toEqual([1, 0]);
  expect(await timelineOf(person, 'texts')).toEqual({
    changes: [],
    invoices: [],
    refunds: [],
    disputes: [],
    credits: [],
    lost_days: [],
    staff_actions: [],
    price_changes: [],
    gifts: [],
  });
  const page = await readInternal<AdminSubscription>(`subscriptions/${person.user_id}`);
  expect(page).toMatchObject({
    status: 'active',
    plan: 'monthly',
    price_cents: 499,
    started_at: expect.any(String),
    invoices: [{ amount_cents: 499, refunded_cents: 100 }],
  });
});

it('reports the unknown state before the history starts', async () => {
  const person = await test.subscribe();
  await test.db.deleteFrom('subscription_changes').where('user_id', '=', person.user_id).execute();
  const unknown = { known: false, subscription: null };
  expect(await standingAt(person, test.deps.clock.now())).toEqual(unknown);
  await plan(person, 'cancel');
  expect((await standingAt(person, test.deps.clock.now())).known).toBe(true);
  expect(await standingAt(person, new Date('2027-01-01T00:00:00Z'))).toEqual(unknown);
  expect(await standingAt({ user_id: randomUUID() }, test.deps.clock.now())).toEqual({
    known: true,
    subscription: null,
  });
});

it.each([
  'timeline/:id?kinds=payments',
  'standing/:id?at=2027-03-06T00:00:00Z',
  'subscriptions/:id',
])('/internal/%s is for our services only', async (path) => {
  const url = `/internal/${path.replace(':id', randomUUID())}`;
  expect((await test.app.inject({ url })).statusCode).toBe(401);
  const headers = test.asUser(randomUUID());
  expect((await test.app.inject({ url, headers })).statusCode).toBe(403);
});
