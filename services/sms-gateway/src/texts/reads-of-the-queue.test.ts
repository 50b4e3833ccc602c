import { randomUUID } from 'node:crypto';
import { hourMs } from '@daylift/clock/durations';
import { createDatabase } from '@daylift/database/create-database';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aQueuedText } from '../../test/factories.ts';
import { createHarness, type Harness } from '../../test/harness.ts';
import { smsFrom } from '../../test/sandbox.ts';
import type { SmsDatabase } from '../database.ts';
import { findDueIds, takeTextsToEnqueue } from '../queue/queue.repository.ts';
import { claimUnresolved, nextCheckAt } from '../receipts/receipts.repository.ts';
import { markInflight, readDueTexts } from './due-texts.repository.ts';
import { hasOverdueTexts } from './results.repository.ts';
import { endAbandoned, endMissed, markInflightUnknown } from './results.ts';

let harness: Harness;
/** A single connection, to count its reads. */
let db: Kysely<SmsDatabase>;
let id: string;
beforeAll(async () => {
  harness = await createHarness();
  db = createDatabase<SmsDatabase>({
    url: harness.databaseUrl,
    name: 'reads',
    max: 1,
    onError: () => undefined,
  });
  ({ id } = await aQueuedText(harness));
  // Outdated statistics: some skipped rows, none waiting.
  await addLike(id, 'skipped');
  await sql`analyze texts`.execute(db);
  await addLike(id, 'queued');
});
afterAll(async () => {
  await db.destroy();
  await harness.close();
});

async function markOne(): Promise<void> {
  const now = harness.clock.now();
  const [due] = await readDueTexts(db, [id], { now, isProbe: false });
  const mark = {
    due: due!,
    from: smsFrom,
    to: '+13125550000',
    body: 'Breathe.',
    is_test: false,
  };
  const lease = { token: randomUUID(), leaseUntil: new Date(Date.now() + 9_000) };
  expect(await markInflight(db, [mark], { ...lease, now, isProbe: false })).toEqual(new Set([id]));
}

async function rowsRead(): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ rows_read: number }>`
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows_read
    from pg_stat_user_tables where relname like 'texts%'`.execute(db);
  return rows[0]?.rows_read ?? 0;
}

/** Adds thousands of rows, each of another subscriber. */
async function addLike(one: string, state: string): Promise<void> {
  await sql`
    insert into texts select (jsonb_populate_record(one, jsonb_build_object(
      'id', left(one.id, 9) || md5(${state} || number), 'user_id', gen_random_uuid(), 'state', ${state}::text,
      'settled_at', case ${state} when 'queued' then null else one.created_at end))).*
    from texts one, generate_series(1, 3000) number where one.id = ${one}`.execute(db);
}

const clocks = () => ({ now: harness.clock.now(), wall: new Date() });

const later = () => new Date(harness.clock.now().getTime() + 48 * hourMs);

// Each row is read once to find it and once to update it; some reads are for other data.
test.each<[string, number, () => Promise<unknown>]>([
  ['marking a text', 1, markOne],
  ['looking for overdue texts', 0, () => hasOverdueTexts(db, clocks())],
  ['looking for calls that ran out', 0, () => markInflightUnknown(db, clocks())],
  ['looking for windows that closed', 0, () => endMissed(db, clocks().now)],
  ['looking for abandoned texts', 0, () => endAbandoned(db, clocks().now)],
  ['queueing ten', 10, () => takeTextsToEnqueue(db, { ...clocks(), again: false, limit: 10 })],
  ['listing ten that are due', 10, () => findDueIds(db, clocks().now, 10)],
  ['ending the first of all whose windows closed', 200, () => endMissed(db, later())],
])(
  '%s reads only the %i of thousands of waiting texts it needs, even with outdated statistics',
  async (_, taken, run) => {
    const before = await rowsRead();
    await run();
    expect((await rowsRead()) - before).toBeLessThanOrEqual(2 * taken + 40);
  },
);

const someIds = () => Array.from({ length: 20 }, (_, index) => `${id.slice(0, -2)}${index + 10}`);

test.each<[string, () => Promise<unknown>]>([
  ['sets of texts', () => readDueTexts(db, someIds(), { now: clocks().now, isProbe: false })],
  ['overdue texts', () => hasOverdueTexts(db, clocks())],
  ['due lookups', () => claimUnresolved(db, clocks().now, 20)],
  ['the next lookup', () => nextCheckAt(db, clocks().now)],
])('Postgres keeps its plan for reading %s', async (_, read) => {
  // It prepares the third run, and compares five plans for values with the one that it keeps.
  for (let runs = 0; runs < 7; runs += 1) await read();
  const before = await countPlans();
  await read();
  expect(await countPlans()).toEqual({ generic: before.generic + 1, planned: before.planned });
});

async function countPlans() {
  const { rows } = await sql<{ generic: number; planned: number }>`
    select sum(generic_plans)::int as generic, sum(custom_plans)::int as planned from pg_prepared_statements
    where statement not like '%pg_prepared_statements%'`.execute(db);
  return rows[0]!;
}
