import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { journeyMs, startBilling, type TestBilling } from '../../test/harness.ts';
import type { ProviderSubscription } from './provider-subscription.ts';
import { applySubscription, endEntitlement } from './subscriptions.actions.ts';
import { findSubscription } from './subscriptions.repository.ts';

vi.setConfig({ testTimeout: journeyMs });
let test: TestBilling;
beforeAll(async () => {
  test = await startBilling();
});
afterAll(() => test.stop());

const day = (n: number) => new Date(Date.UTC(2027, 2, n));

/** The history of a subscription as the provider reports it, one read at a time. */
function subscriptionHistory(userId: string): ProviderSubscription[] {
  const declinedCard = { card_declined: true, confirm_url: null };
  const owed = (n: number) => ({ cents: 499, failed_at: day(n), ...declinedCard });
  const base: ProviderSubscription = {
    promotion_id: null,
    discount_cents: 0,
    recurring_discount_cents: 0,
    is_paused: false,
    is_paused_by_us: false,
    id: `sub_${userId}`,
    stripe_customer_id: 'cus_unknown',
    user_id: userId,
    status: 'trial',
    is_live: true,
    plan: 'monthly',
    started_at: day(1),
    trial_end: day(4),
    free_until: null,
    current_period_start: day(1),
    current_period_end: day(4),
    cancel_at_period_end: false,
    cancel_at: null,
    ended_unpaid: false,
    owed: null,
    price_cents: 499,
    card: { fingerprint: `card-${userId}`, brand: 'visa', last4: '4242' },
    balance_cents: 0,
    next_charge: null,
  };
  return [
    base,
    { ...base, cancel_at_period_end: true, cancel_at: day(4) },
    { ...base, status: 'active', current_period_end: day(34) },
    { ...base, status: 'past_due', current_period_end: day(34), owed: owed(5) },
    { ...base, status: 'active', current_period_end: day(34) },
    { ...base, status: 'past_due', current_period_end: day(64), owed: owed(35) },
  ];
}

/** Deterministic for a seed. */
function shuffle<T>(list: T[], seed: number): T[] {
  let state = seed;
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
  return list
    .map((one) => ({ one, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ one }) => one);
}

it('two hundred shuffled, duplicated and parallel histories end in the state of the last read', async () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const { user_id } = await test.signUp();
    const all = subscriptionHistory(user_id);
    const reads = all.slice(0, 1 + (seed % all.length));
    const tickets = reads.map((subscription, index) => ({ subscription, ticket: index + 1 }));
    const order = shuffle([...tickets, ...tickets], seed);
    const apply = (read: (typeof order)[number]) =>
      test.db
        .transaction()
        .execute((trx) => applySubscription(trx, { ...read, refundEndsAccess: false }, day(36)));
    if (seed % 2 === 0) for (const read of order) await apply(read);
    else await Promise.all(order.map(apply));
    const {
      owed: unpaid,
      card,
      balance_cents,
      next_charge,
      is_paused,
      is_paused_by_us,
      stripe_customer_id,
      id,
      ...facts
    } = reads.at(-1)!;
    const row = await findSubscription(test.db, user_id);
    expect(row).toMatchObject({
      ...facts,
      stripe_subscription_id: id,
      read_ticket: reads.length,
      past_due_since: unpaid?.failed_at ?? null,
      owed_cents: unpaid?.cents ?? null,
    });
    const states = await test.states(user_id);
    expect(states.map((state) => state.version)).toEqual(states.map((_, n) => n + 1));
    expect(states.at(-1)?.version).toBe(row?.version);
  }
});

it('an entitlement that ends while a read arrives never deadlocks with it', async () => {
  const errors = sql<{ deadlocks: number }>`select deadlocks from pg_stat_database
    where datname = current_database()`;
  const deadlocks = async () => {
    await sql`select pg_stat_force_next_flush()`.execute(test.db);
    return (await errors.execute(test.db)).rows[0]?.deadlocks;
  };
  const before = await deadlocks();
  for (let round = 0; round < 30; round += 1) {
    const { user_id } = await test.signUp();
    const [first, cancelled] = subscriptionHistory(user_id);
    const apply = (subscription: ProviderSubscription, ticket: number, now: Date) =>
      test.db
        .transaction()
        .execute((trx) =>
          applySubscription(trx, { subscription, ticket, refundEndsAccess: false }, now),
        );
    await apply(first!, 1, day(1));
    await apply(cancelled!, 2, day(3));
    await Promise.all([
      apply({ ...cancelled!, status: 'canceled', is_live: false }, 3, day(5)),
      test.db.transaction().execute((trx) => endEntitlement(trx, user_id, day(5))),
      apply(cancelled!, 4, day(5)),
      test.db.transaction().execute((trx) => endEntitlement(trx, user_id, day(5))),
    ]);
    expect((await test.state(user_id))?.entitled).toBe(false);
  }
  expect(await deadlocks()).toBe(before);
});

it('a version is not older than the one before, even if its read started earlier', async () => {
  const { user_id } = await test.signUp();
  const [first, cancelled] = subscriptionHistory(user_id);
  const apply = (subscription: ProviderSubscription, ticket: number, now: Date) =>
    test.db
      .transaction()
      .execute((trx) =>
        applySubscription(trx, { subscription, ticket, refundEndsAccess: false }, now),
      );
  await apply(first!, 1, day(1));
  await apply(cancelled!, 2, day(3));
  await test.db.transaction().execute((trx) => endEntitlement(trx, user_id, day(5)));
  await apply({ ...cancelled!, status: 'canceled', is_live: false }, 3, day(4));
  const rows = await test.db
    .selectFrom('subscription_changes')
    .select(['status', 'changed_at'])
    .where('user_id', '=', user_id)
    .orderBy('version')
    .execute();
  expect(rows.map(({ changed_at }) => changed_at)).toEqual([day(1), day(3), day(5), day(5)]);
  expect(rows.at(-1)?.status).toBe('canceled');
});
