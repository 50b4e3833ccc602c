import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { payments } from '../../test/disputes.ts';
import { journeyMs, startBilling, type TestBilling } from '../../test/harness.ts';
import { createComparisonLoop } from './comparison.loop.ts';

vi.setConfig({ testTimeout: journeyMs });
let test: TestBilling;
let money: ReturnType<typeof payments>;
beforeAll(async () => {
  test = await startBilling({ repairs: true });
  money = payments(test);
});
afterAll(() => test.stop());
beforeEach(() => test.faults({}));

/** Neither webhooks nor the list of events bring news, as after an outage longer than the provider lists events. */
async function loseEvents(): Promise<void> {
  await test.faults({ webhook: { drop: 1 } });
  await test.db
    .updateTable('reconcile_state')
    .set({ next_run_at: new Date('2100-01-01') })
    .execute();
}
const advanceNight = () => test.advance(24);
async function picture({ user_id }: { user_id: string }) {
  const { card, current_period_end, next_charge, trial_end_date, ...plan } = await money.plan({
    user_id,
  });
  const headers = test.asUser(user_id);
  const invoices = (await test.app.inject({ url: '/users/me/invoices', headers })).json();
  const state = await test.state(user_id);
  return {
    plan,
    entitled: state?.entitled,
    invoices: invoices.map(({ id, issued_at, ...rest }: Record<string, unknown>) => rest),
  };
}
const readExplanations = () =>
  test.db
    .selectFrom('provider_tasks')
    .select(['subject', 'error', 'parked_at'])
    .where('kind', '=', 'explain_difference')
    .orderBy('subject')
    .execute();

it('an invoice deleted here is back after a night, with its revenue', async () => {
  const person = await money.payer();
  const truth = await money.ledger();
  await test.db.deleteFrom('invoices').where('user_id', '=', person.user_id).execute();
  expect((await money.revenue()).total_cents).toBe(truth - 499);
  await advanceNight();
  expect((await money.revenue()).total_cents).toBe(truth);
  expect((await picture(person)).invoices).toMatchObject([{ status: 'paid', amount_cents: 499 }]);
});

it('three days of lost events end in the same state as none lost', async () => {
  const unaffected = await money.payer();
  const lost = await money.payer();
  const events = async (person: typeof unaffected) => {
    const [charge] = await money.of(person);
    const { stripe } = test.deps;
    const customer = charge!.customer as string;
    const { data } = await stripe.subscriptions.list({ customer });
    await stripe.refunds.create({ charge: charge!.id, amount: 100 });
    await stripe.subscriptions.update(data[0]!.id, { cancel_at_period_end: true });
    await stripe.customers.createBalanceTransaction(customer, { amount: -50, currency: 'usd' });
    await money.decide(await money.dispute(person), 'under_review');
  };
  await events(unaffected);
  const expected = await picture(unaffected);
  expect(expected).toMatchObject({ entitled: false, plan: { hold: 'disputed', credit_cents: 50 } });
  await loseEvents();
  await events(lost);
  expect(await picture(lost)).not.toEqual(expected);
  await test.advance(24 * 3);
  expect(await picture(lost)).toEqual(expected);
  expect((await money.revenue()).total_cents).toBe(await money.ledger());
});

it('what the provider does not know becomes a failed task, once', async () => {
  const person = await money.payer();
  const copy = await test.db
    .selectFrom('invoices')
    .selectAll()
    .where('user_id', '=', person.user_id)
    .where('amount_paid_cents', '>', 0)
    .executeTakeFirstOrThrow();
  const id = 'in_unknown';
  await test.db
    .insertInto('invoices')
    .values({ ...copy, id, amount_paid_cents: 0, payment_intent_id: null })
    .execute();
  await test.advance(48, 1);
  expect(await readExplanations()).toMatchObject([
    {
      subject: `invoice:${id}`,
      error: `The payment provider has no invoice ${id}, but our records do.`,
      parked_at: expect.any(Date),
    },
  ]);
  const admin = { admin_id: crypto.randomUUID(), username: 'vera', role: 'owner' } as const;
  const discarded = await test.app.inject({
    method: 'POST',
    url: `/admin/parked/billing/task.explain_difference.invoice:${id}/discard`,
    headers: test.as({ kind: 'admin', ...admin, session_version: 0 }),
  });
  expect(discarded.json()).toMatchObject({ outcome: 'discarded' });
  // Other completed tasks are deleted after three days.
  await test.db
    .updateTable('provider_tasks')
    .set({ done_at: new Date('2027-01-01') })
    .where('kind', '=', 'explain_difference')
    .execute();
  await advanceNight();
  expect(await readExplanations()).toMatchObject([
    { subject: `invoice:${id}`, error: 'discarded by an admin', parked_at: null },
  ]);
  await test.db.deleteFrom('invoices').where('id', '=', id).execute();
});

async function compareAll(pageSize: number): Promise<void> {
  const now = test.deps.clock.now();
  await test.db.updateTable('comparison').set({ next_run_at: now }).execute();
  const loop = createComparisonLoop(test.deps, { pageSize, pagesPerRun: 1 });
  while ((await loop.run?.()) === 1);
  await test.settle();
}

it('objects of one second on several pages are no difference', async () => {
  const [charge] = await money.of(await money.payer());
  // Over two seconds at most, so three or more have the same one.
  const refunds = await Promise.all(
    Array.from({ length: 6 }, () =>
      test.deps.stripe.refunds.create({ charge: charge!.id, amount: 10 }),
    ),
  );
  expect(new Set(refunds.map(({ created }) => created)).size).toBeLessThan(3);
  await test.settle();
  const before = await readExplanations();
  await compareAll(2);
  expect(await readExplanations()).toEqual(before);
  const [copy] = await test.db
    .selectFrom('refunds')
    .selectAll()
    .where('id', '=', refunds[3]!.id)
    .execute();
  await test.db
    .insertInto('refunds')
    .values({ ...copy!, id: 're_unknown' })
    .execute();
  await compareAll(2);
  expect((await readExplanations()).map(({ subject }) => subject)).toEqual([
    ...before.map(({ subject }) => subject),
    'refund:re_unknown',
  ]);
  await test.db.deleteFrom('refunds').where('id', '=', 're_unknown').execute();
});

it('continues page by page where it stopped', async () => {
  for (let n = 0; n < 3; n += 1) await money.payer();
  const { user_id } = await money.payer();
  await test.db.deleteFrom('invoices').where('user_id', '=', user_id).execute();
  await compareAll(2);
  expect((await picture({ user_id })).invoices).toMatchObject([{ status: 'paid' }]);
  const row = await test.db.selectFrom('comparison').selectAll().executeTakeFirstOrThrow();
  expect(row).toMatchObject({ kind: 'subscription', cursor: null, finished_at: expect.any(Date) });
});

it.each(['reconcile_state', 'comparison'] as const)(
  '%s continues on time, even if something settles shortly before',
  async (table) => {
    const inMinutes = (minutes: number) =>
      new Date(test.deps.clock.now().getTime() + minutes * 60_000);
    await test.advance(1);
    const next_run_at = inMinutes(5);
    await test.db.updateTable(table).set({ next_run_at }).execute();
    await test.advance(5 / 60);
    const row = await test.db.selectFrom(table).select('next_run_at').executeTakeFirstOrThrow();
    expect(row.next_run_at.getTime()).toBeGreaterThan(next_run_at.getTime());
  },
);

it('a kind that our key may not read is skipped', async () => {
  const before = test.deps.clock.now();
  await test.faults({ error: { stripe: { rate: 1, status: 403, code: 'forbidden' } } });
  await advanceNight();
  await test.faults({});
  const row = await test.db.selectFrom('comparison').selectAll().executeTakeFirstOrThrow();
  expect(row.kind).toBe('subscription');
  expect(row.finished_at!.getTime()).toBeGreaterThan(before.getTime());
});

it('the first comparison neither ends what was paid since nor reports what is long over', async () => {
  const [lost, won, open] = [await money.payer(), await money.payer(), await money.payer()];
  const compareAt = (next_run_at: Date) =>
    test.db.updateTable('comparison').set({ next_run_at }).execute();
  await compareAt(new Date('2100-01-01'));
  await loseEvents();
  await money.decide(await money.dispute(lost), 'lost');
  await money.decide(await money.dispute(won), 'won');
  await money.dispute(open);
  await test.faults({});
  await test.advance(24 * 31 + 2);
  await compareAt(test.deps.clock.now());
  await test.advance(1);
  expect((await test.state(lost.user_id))?.entitled).toBe(true);
  expect((await test.state(won.user_id))?.entitled).toBe(true);
  expect((await test.state(open.user_id))?.entitled).toBe(false);
  for (const { email } of [lost, won, open]) {
    const subjects = (await test.mails(email)).map(({ subject }) => subject);
    expect(subjects.filter((subject) => /texts are|has ended/.test(subject))).toEqual([]);
  }
});
