import { ensureMonthlyPartitions } from '@daylift/database/partitions';
import { type Kysely, sql, type Transaction } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { aTemplate, subscribe } from '../../test/factories.ts';
import { openScheduler, type Scheduler } from '../../test/harness.ts';
import type { SchedulerDatabase } from '../database.ts';
import {
  claimDueDispatches,
  claimUnansweredDispatches,
  markReleased,
  settleDispatches,
} from './dispatches.repository.ts';
import type { Dispatch } from './dispatches.table.ts';

type Trx = Transaction<SchedulerDatabase>;

let scheduler: Scheduler;
beforeAll(async () => {
  scheduler = await openScheduler();
  await scheduler.reset('2027-03-05T12:00:00Z');
  await scheduler.receive('content.template.changed', aTemplate());
  await subscribe(scheduler);
  await scheduler.goTo('2027-03-06T14:00:00Z');
  // Outdated statistics: some skipped rows, none waiting.
  await addLikeReleased('skipped');
  await sql`analyze dispatches`.execute(scheduler.db);
  await addLikeReleased('planned');
  await addLikeReleased('released');
  const tables = scheduler.db as unknown as Kysely<never>;
  await ensureMonthlyPartitions(tables, 'dispatches', scheduler.clock.now(), 24);
  return () => scheduler.close();
});

test.each([
  ['due', claimDueDispatches],
  ['without an answer', claimUnansweredDispatches],
])(
  'claiming ten %s dispatches reads none of thousands of others, even with outdated statistics',
  async (_, claim) => {
    const reads = await scheduler.db.transaction().execute(async (trx) => {
      expect(await claim(trx, new Date('2027-03-08T12:00:00Z'), 10)).toHaveLength(10);
      const { rows } = await sql<{ rows_read: number }>`
      select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows_read
      from pg_stat_xact_user_tables where relname like 'dispatches%'`.execute(trx);
      return rows[0]?.rows_read;
    });
    expect(reads).toBeLessThan(40);
  },
);

test.each<[string, (trx: Trx, some: Dispatch[]) => Promise<unknown>]>([
  ['outcomes', storeOutcomes],
  ['releases', storeReleases],
])('Postgres keeps its plan for storing %s', async (_, store) => {
  await scheduler.db.transaction().execute(async (trx) => {
    const some = await trx
      .selectFrom('dispatches')
      .selectAll()
      .where('state', '=', 'released')
      .limit(20)
      .execute();
    // It prepares the third run, and compares five plans for values with the one that it keeps.
    for (let runs = 0; runs < 7; runs += 1) await store(trx, some);
    const before = await countPlans(trx);
    await store(trx, some);
    expect(await countPlans(trx)).toEqual({ generic: before.generic + 1, planned: before.planned });
  });
});

function storeOutcomes(trx: Trx, some: Dispatch[]) {
  const ended = { outcome: 'accepted' as const, settled_at: scheduler.clock.now() };
  return settleDispatches(
    trx,
    some.map((one) => ({ ...one, ...ended, dispatch_id: one.id })),
  );
}

function storeReleases(trx: Trx, some: Dispatch[]) {
  const now = scheduler.clock.now();
  return markReleased(
    trx,
    some.map((dispatch) => ({
      dispatch,
      windows: [],
      batch_id: dispatch.batch_id!,
      scheduled_message_id: null,
      template_id: dispatch.template_id,
    })),
    now,
    now,
  );
}

async function countPlans(trx: Trx) {
  const { rows } = await sql<{ generic: number; planned: number }>`
    select sum(generic_plans)::int as generic, sum(custom_plans)::int as planned from pg_prepared_statements
    where statement not like '%pg_prepared_statements%'`.execute(trx);
  return rows[0]!;
}

/** Adds thousands of rows like the released one, each of another subscriber. */
async function addLikeReleased(state: string): Promise<void> {
  await sql`
    insert into dispatches select (jsonb_populate_record(one, jsonb_build_object('user_id', someone, 'state', ${state}::text,
      'id', dispatch_id(someone, one.local_date, one.kind, one.generation)))).*
    from dispatches one, (select gen_random_uuid() as someone from generate_series(1, 3000)) as others
    where one.state = 'released'`.execute(scheduler.db);
}
