import { randomUUID } from 'node:crypto';
import { hourMs } from '@daylift/clock/durations';
import type { PlanView } from '@daylift/contracts/billing.http';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { journeyMs, startBilling, type TestBilling } from '../../test/harness.ts';
import { customerOf, type Person, useLostDays } from '../../test/lost-days.ts';
import { enqueueTask } from '../provider-tasks/provider-tasks.repository.ts';

vi.setConfig({ testTimeout: journeyMs });
let test: TestBilling;
beforeAll(async () => {
  test = await startBilling();
});
afterAll(() => test.stop());
const { paying } = useLostDays(() => test);

const call = async ({ user_id }: Person, method: 'GET' | 'POST', path: string) =>
  test.app.inject({ method, url: `/users/me/${path}`, headers: test.asUser(user_id) });
const planOf = async (person: Person): Promise<PlanView> =>
  (await call(person, 'GET', 'plan')).json();
async function giveFreeDays({ user_id }: Person, days: number): Promise<void> {
  const owner = { kind: 'admin', username: 'olive', role: 'owner', session_version: 0 } as const;
  const response = await test.app.inject({
    method: 'POST',
    url: `/admin/subscriptions/${user_id}/free-days`,
    headers: test.as({ ...owner, admin_id: randomUUID() }),
    payload: { days, reason: 'An outage', request_key: randomUUID() },
  });
  expect(response.statusCode).toBe(200);
  await test.settle();
}
async function paymentsOf(person: Person): Promise<number> {
  const customer = await customerOf(test, person);
  return (await test.deps.stripe.charges.list({ customer })).data.length;
}
const advanceTo = (instant: Date) =>
  test.advance((instant.getTime() - test.deps.clock.now().getTime()) / hourMs);

it('a plan restored after free days is not charged before their end', async () => {
  const [undone, trial, replied] = [await paying(), await test.subscribe(), await paying()];
  for (const person of [undone, trial]) await call(person, 'POST', 'plan/cancel');
  const reply = async (type: string) => {
    await test.hear('sms', `sms.recipient.${type}`, {
      ...{ user_id: replied.user_id, at: test.deps.clock.now().toISOString() },
      ...(type === 'opted_out' && { source: 'keyword' }),
    });
    await test.advance(1 / 60);
  };
  await reply('opted_out');
  const people = [undone, trial, replied];
  const ends: (string | null | undefined)[] = [];
  for (const person of people) {
    await giveFreeDays(person, 5);
    ends.push((await planOf(person)).free_until);
  }
  for (const person of [undone, trial]) await call(person, 'POST', 'plan/undo-cancel');
  await reply('opted_in');
  await test.settle();
  for (const [n, person] of people.entries()) {
    const plan = await planOf(person);
    expect(plan).toMatchObject({ cancel_at_period_end: false, current_period_end: ends[n] });
    expect(plan.next_charge?.at).toBe(ends[n]);
  }
  const mails = await test.mails(replied.email);
  expect(mails.at(-1)?.text).toContain('April 10, 2027');
  const instants = ends.map((end) => new Date(end ?? ''));
  await advanceTo(new Date(instants[1]!.getTime() - hourMs));
  expect(await paymentsOf(trial)).toBe(0);
  await advanceTo(new Date(instants[0]!.getTime() - hourMs));
  for (const person of [undone, replied]) expect(await paymentsOf(person)).toBe(1);
  await test.advance(4);
  for (const person of [undone, replied]) expect(await paymentsOf(person)).toBe(2);
  expect(await planOf(undone)).toMatchObject({ status: 'active', free_until: null });
});

it('a task that ends trials leaves free days alone', async () => {
  const person = await paying();
  await giveFreeDays(person, 5);
  const before = await planOf(person);
  const { stripe_subscription_id } = await test.db
    .selectFrom('subscriptions')
    .select('stripe_subscription_id')
    .where('user_id', '=', person.user_id)
    .executeTakeFirstOrThrow();
  await enqueueTask(test.db, 'end_trial', [stripe_subscription_id ?? ''], test.deps.clock.now());
  await test.settle();
  expect(await paymentsOf(person)).toBe(1);
  expect(await planOf(person)).toEqual(before);
});
