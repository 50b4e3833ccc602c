import type { SubscriptionDay } from '@daylift/contracts/figures.http';
import { foldCounters } from '@daylift/database/counters';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { failingCard, goodCard } from '../../test/cards.ts';
import { journeyMs, startBilling, type TestBilling } from '../../test/harness.ts';

vi.setConfig({ testTimeout: journeyMs });
let test: TestBilling;
beforeAll(async () => {
  test = await startBilling({ repairs: true });
});
afterAll(() => test.stop());
beforeEach(() => test.faults({}));

const viewer = {
  kind: 'admin',
  admin_id: crypto.randomUUID(),
  username: 'viewer',
  role: 'viewer',
  session_version: 0,
} as const;
const request = (query = '', as: Record<string, string> = test.as(viewer)) =>
  test.app.inject({ url: `/admin/subscriptions/figures${query}`, headers: as });
const days = async (query?: string) => (await request(query)).json<SubscriptionDay[]>();
const totalOf = (rows: SubscriptionDay[]) => ({
  trials_started: rows.reduce((sum, row) => sum + row.trials_started, 0),
  converted: rows.reduce((sum, row) => sum + row.converted, 0),
  churned: rows.reduce((sum, row) => sum + row.churned, 0),
  paid_churned: rows.reduce((sum, row) => sum + row.paid_churned, 0),
});

/** Recounts from all published states and from the payments. */
async function recount() {
  const { rows } = await sql<Omit<SubscriptionDay, 'date'>>`
    with steps as (
      select user_id, status, lag(status) over (partition by user_id order by version) as before from subscription_changes
    )
    select
      (select count(*) from steps where status = 'trial' and before is distinct from 'trial') as trials_started,
      (select count(distinct user_id) from invoices
        where amount_paid_cents > 0 and user_id in (select user_id from trial_uses)) as converted,
      (select count(*) from steps where status in ('canceled', 'expired')
        and before in ('trial', 'active', 'past_due')) as churned,
      (select count(*) from steps where status in ('canceled', 'expired') and before in ('active', 'past_due')
        and user_id in (select user_id from invoices where amount_paid_cents > 0)) as paid_churned`.execute(
    test.deps.db,
  );
  return rows[0];
}

it('each trial, first payment and cancellation counts once, on its day, however it is reported', async () => {
  for (let n = 0; n < 2; n += 1) await test.subscribe();
  const payer = await test.subscribe();
  const leaver = await test.subscribe();
  await test.subscribe({}, failingCard());
  const cancel = async ({ user_id }: { user_id: string }) => {
    const headers = test.asUser(user_id);
    const response = await test.app.inject({
      method: 'POST',
      url: '/users/me/plan/cancel',
      headers,
    });
    expect(response.statusCode).toBe(200);
  };
  await cancel(leaver);
  await test.faults({ webhook: { duplicate: 0.5, reorder: 0.3, drop: 0.2 } });
  await test.advance(80);
  // It started on the evening of the 5th in New York.
  expect(await days('?days=5')).toEqual([
    { date: '2027-03-05', trials_started: 5, converted: 0, churned: 0, paid_churned: 0 },
    { date: '2027-03-06', trials_started: 0, converted: 0, churned: 0, paid_churned: 0 },
    { date: '2027-03-07', trials_started: 0, converted: 0, churned: 0, paid_churned: 0 },
    { date: '2027-03-08', trials_started: 0, converted: 3, churned: 1, paid_churned: 0 },
    { date: '2027-03-09', trials_started: 0, converted: 0, churned: 0, paid_churned: 0 },
  ]);
  await cancel(payer);
  await test.advance(24 * 40);
  const all = await days('?days=60');
  expect(totalOf(all)).toEqual({ trials_started: 5, converted: 3, churned: 3, paid_churned: 1 });
  expect(totalOf(all)).toEqual(await recount());
  while ((await foldCounters(test.deps.db)) > 0);
  expect(await days('?days=60')).toEqual(all);
});

it('a payment after a trial created by staff counts too', async () => {
  const before = totalOf(await days('?days=60'));
  const facts = await test.signUp({ created_by: 'admin' });
  const { body } = await test.checkOut(facts, {}, test.asUser(facts.user_id));
  // The subscription is known before the payment.
  await test.faults({ webhook: { drop: 1 } });
  await test.pay(body.session_id, goodCard());
  await test.app.inject(`/payments/status/${body.session_id}`);
  expect(await test.state(facts.user_id)).toMatchObject({ status: 'active', trial_end: null });
  await test.advance(2);
  const after = totalOf(await days('?days=60'));
  expect(after).toEqual({
    ...before,
    trials_started: before.trials_started + 1,
    converted: before.converted + 1,
  });
  expect(after).toEqual(await recount());
});

it("days have no gaps, and end with the operators' today", async () => {
  const rows = await days();
  expect(rows).toHaveLength(30);
  const today = Temporal.Instant.from(test.deps.clock.now().toISOString())
    .toZonedDateTimeISO('America/New_York')
    .toPlainDate();
  expect(rows.map((row) => row.date)).toEqual(
    rows.map((_row, index) => today.subtract({ days: 29 - index }).toString()),
  );
});

it('days are for admins, with a limit', async () => {
  expect((await request('', {})).statusCode).toBe(401);
  expect((await request('', test.asUser(crypto.randomUUID()))).statusCode).toBe(403);
  for (const query of ['?days=0', '?days=367', '?days=ten', '?days=1&days=2'])
    expect((await request(query)).statusCode).toBe(400);
});
