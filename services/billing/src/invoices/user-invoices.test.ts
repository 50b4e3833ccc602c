import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { failingCard } from '../../test/cards.ts';
import { journeyMs, startBilling, type TestBilling } from '../../test/harness.ts';

vi.setConfig({ testTimeout: journeyMs });
let test: TestBilling;
beforeAll(async () => {
  test = await startBilling();
});
afterAll(() => test.stop());

type Person = { user_id: string };
async function invoices({ user_id }: Person) {
  const headers = test.asUser(user_id);
  return (await test.app.inject({ url: '/users/me/invoices', headers })).json();
}
async function change({ user_id }: Person, action: string, plan: string) {
  await test.app.inject({
    method: 'POST',
    url: `/users/me/plan/${action}`,
    headers: test.asUser(user_id),
    payload: { plan },
  });
  await test.settle();
}

it('lists invoices newest first, to the cent, with refunds and credits', async () => {
  const person = await test.subscribe({ plan: 'yearly' });
  expect(await invoices(person)).toEqual([]);
  await change(person, 'upgrade', 'yearly');
  await test.advance(1);
  await change(person, 'switch', 'monthly');
  const headers = test.asUser(person.user_id);
  const plan = (await test.app.inject({ url: '/users/me/plan', headers })).json();
  const { data } = await test.deps.stripe.charges.list({ limit: 1 });
  await test.deps.stripe.refunds.create({ charge: data[0]!.id, amount: 1000 });
  await test.settle();
  const [credit, paid, ...more] = await invoices(person);
  expect(more).toEqual([]);
  expect(plan.credit_cents).toBeGreaterThan(4000);
  expect(credit).toMatchObject({ amount_cents: -plan.credit_cents, refunded_cents: 0 });
  expect(paid).toMatchObject({
    amount_cents: 4999,
    refunded_cents: 1000,
    currency: 'usd',
    status: 'paid',
  });
  await test.deps.stripe.refunds.create({ charge: data[0]!.id });
  await test.settle();
  expect((await invoices(person))[1]).toMatchObject({ refunded_cents: 4999, status: 'refunded' });
});

it("a failed charge is an open invoice, and no one sees another's invoices", async () => {
  const person = await test.subscribe({}, failingCard());
  await test.advance(76);
  expect(await invoices(person)).toMatchObject([{ amount_cents: 499, status: 'open' }]);
  expect(await invoices(await test.signUp())).toEqual([]);
  expect((await test.app.inject('/users/me/invoices')).statusCode).toBe(401);
});

it('lists only the newest 24', async () => {
  const person = await test.signUp();
  const invoice = (n: number) => ({
    id: `in_${person.user_id}_${n}`,
    user_id: person.user_id,
    read_ticket: 1,
    status: 'paid',
    currency: 'usd',
    total_cents: n,
    credit_cents: 0,
    amount_due_cents: n,
    amount_paid_cents: n,
    attempt_count: 1,
    created_at: new Date(Date.UTC(2027, 0, n)),
    paid_at: null,
    payment_intent_id: null,
  });
  const all = Array.from({ length: 26 }, (_, n) => invoice(n + 1));
  await test.db.insertInto('invoices').values(all).execute();
  const listed = await invoices(person);
  expect(listed).toHaveLength(24);
  expect(listed[0].amount_cents).toBe(26);
  expect(listed[23].amount_cents).toBe(3);
});
