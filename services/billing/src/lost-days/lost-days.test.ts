import { randomUUID } from 'node:crypto';
import type { PlanView, UserInvoice } from '@daylift/contracts/billing.http';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { failingCard } from '../../test/cards.ts';
import { journeyMs, startBilling, type TestBilling } from '../../test/harness.ts';
import { type Person, useLostDays } from '../../test/lost-days.ts';
import { enqueueTask } from '../provider-tasks/provider-tasks.repository.ts';

vi.setConfig({ testTimeout: journeyMs });
let test: TestBilling;
beforeAll(async () => {
  test = await startBilling();
});
afterAll(() => test.stop());
beforeEach(() => test.reset());
const { paying, inHours, lostDay, publish, decisionsOf, bookings } = useLostDays(() => test);

const readOwn = async <T>({ user_id }: Person, path: string): Promise<T> =>
  (await test.app.inject({ url: `/users/me/${path}`, headers: test.asUser(user_id) })).json();
const plan = (person: Person) => readOwn<PlanView>(person, 'plan');
const invoices = (person: Person) => readOwn<UserInvoice[]>(person, 'invoices');

it('a day is credited once, however its events are repeated and ordered', async () => {
  const person = await paying();
  const [first, second] = [lostDay(person, inHours(54)), lostDay(person, inHours(30))];
  const id = randomUUID();
  await publish([second], id);
  await publish([second], id);
  await Promise.all([publish([first, second]), publish([second, first])]);
  await publish([{ ...first, outcome: 'failed', reason: 'carrier_40008' }]);
  await test.settle();
  expect((await bookings(person)).reduce((sum, one) => sum + one, 0)).toBe(-34);
  expect((await plan(person)).lost_days).toEqual({ days: 2, credit_cents: 34 });
});

it('a weekly text is worth a week, and a yearly plan is divided by its days', async () => {
  const weekly = await paying();
  const yearly = await paying({ plan: 'yearly' });
  await publish([
    lostDay(weekly, inHours(100), { frequency: 'weekly' }),
    lostDay(yearly, inHours(50)),
  ]);
  expect(await decisionsOf(weekly)).toEqual([['credited', 113]]);
  expect(await decisionsOf(yearly)).toEqual([['credited', 14]]);
});

it('trial days and unpaid days are worth nothing', async () => {
  const trial = await test.subscribe();
  const failing = await test.subscribe({}, failingCard());
  await test.advance(96);
  expect((await plan(failing)).status).toBe('past_due');
  await publish([
    lostDay(trial, inHours(-48)),
    lostDay(failing, inHours(-2)),
    lostDay({ user_id: randomUUID() }, inHours(-48)),
  ]);
  await test.settle();
  expect(await decisionsOf(trial)).toEqual([['trial', 0]]);
  expect(await decisionsOf(failing)).toEqual([['unpaid', 0]]);
  expect(await bookings(trial)).toEqual([]);
  expect((await plan(failing)).lost_days).toBeNull();
});

it('a fully lost period is credited at its price and no more', async () => {
  const person = await paying();
  await publish(Array.from({ length: 31 }, (_, n) => lostDay(person, inHours(24 * n + 1))));
  await test.settle();
  expect(await bookings(person)).toEqual([-499]);
  expect((await plan(person)).next_charge?.amount_cents).toBe(0);
});

it('no credit is lost or doubled when the provider fails or its response is lost', async () => {
  const person = await paying();
  await test.faults({ stripe_down: true });
  await publish([lostDay(person, inHours(30))]);
  await test.settle();
  const { credit_cents: cents } = await test.db
    .selectFrom('lost_days')
    .select('credit_cents')
    .where('user_id', '=', person.user_id)
    .executeTakeFirstOrThrow();
  await test.faults({ accept_then_drop: { stripe: 0.5 } });
  await publish([lostDay(person, inHours(54))]);
  await test.advance(1);
  await test.faults({});
  await test.advance(1);
  expect((await bookings(person)).reduce((sum, one) => sum + one, 0)).toBe(-2 * cents);
  expect(await plan(person)).toMatchObject({ lost_days: { days: 2, credit_cents: 2 * cents } });
});

it('a deleted account loses its credit and gets no more', async () => {
  const person = await paying();
  await publish([lostDay(person, inHours(54))]);
  await test.settle();
  expect(await bookings(person)).toEqual([-17]);
  const { user_id } = person;
  const read = () =>
    test.db
      .selectFrom('customers')
      .select(['stripe_customer_id', 'lost_days_booked_cents'])
      .where('user_id', '=', user_id)
      .executeTakeFirstOrThrow();
  const customer = (await read()).stripe_customer_id ?? '';
  await test.hear('accounts', 'accounts.user.deleted', { user_id });
  await test.settle();
  expect(await test.deps.stripe.customers.retrieve(customer)).toMatchObject({ deleted: true });
  await publish([lostDay(person, inHours(30))]);
  // Credit that isn't booked yet must not be booked for a deleted account.
  await test.db
    .updateTable('customers')
    .set({ lost_days_booked_cents: 0 })
    .where('user_id', '=', user_id)
    .execute();
  await enqueueTask(test.db, 'settle_lost_days', [user_id], test.deps.clock.now());
  await test.settle();
  expect(await decisionsOf(person)).toHaveLength(1);
  expect((await read()).lost_days_booked_cents).toBe(0);
});

it('two lost days are credited to the cent on the next invoice, and only there', async () => {
  const person = await paying();
  // Details are mailed to proven addresses only.
  await test.prove(person);
  expect((await plan(person)).lost_days).toBeNull();
  await publish([lostDay(person, inHours(30)), lostDay(person, inHours(54))]);
  await test.settle();
  // $4.99 from March 6 to April 6: 31 days of 16.1 cents, rounded up.
  expect(await plan(person)).toMatchObject({
    credit_cents: 34,
    lost_days: { days: 2, credit_cents: 34 },
    next_charge: { amount_cents: 465 },
  });
  expect(await bookings(person)).toEqual([-34]);
  // The provider finalizes an invoice an hour after the period starts.
  await test.advance(24 * 31 + 2);
  expect((await invoices(person)).map((one) => [one.amount_cents, one.credit_cents])).toEqual([
    [465, 34],
    [499, 0],
  ]);
  const receipts = (await test.mails(person.email)).filter((one) => /receipt/.test(one.subject));
  expect(receipts.map((one) => one.text).join()).toContain('Credit used: $0.34\nAmount: $4.65');
  expect(await plan(person)).toMatchObject({
    credit_cents: 0,
    lost_days: null,
    next_charge: { amount_cents: 499 },
  });
});
