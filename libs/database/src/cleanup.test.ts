import { join } from 'node:path';
import { dayMs } from '@daylift/clock/durations';
import { createServer, type Server } from '@daylift/server/create-server';
import { createFixedClock } from '@daylift/testing/fixed-clock';
import { readMetrics } from '@daylift/testing/metrics';
import { createTestDatabase, type TestDatabase } from '@daylift/testing/test-database';
import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Cleanup, createCleanupLoop } from './cleanup.ts';
import { createDatabase } from './create-database.ts';

interface Tables {
  visits: { at: Date; kept: boolean };
}

let database: TestDatabase;
let db: Kysely<Tables>;
let app: Server;
const clock = createFixedClock('2027-03-09T12:00:00Z');
const oldVisits: Cleanup<Tables> = {
  table: 'visits',
  column: 'at',
  keptMs: dayMs,
  only: () => sql`not kept`,
};

beforeEach(async () => {
  database = await createTestDatabase({
    schema: 'cleanup',
    folder: join(import.meta.dirname, '../test/cleanup-migrations'),
  });
  db = createDatabase<Tables>({ url: database.url, name: 'test', onError: () => undefined });
  app = createServer({ name: 'test', logLevel: 'silent', readiness: {} });
});
afterEach(async () => {
  vi.useRealTimers();
  await app.close();
  await db.destroy();
  await database.drop();
});

/** Inserts rows that are two days old, a millisecond apart. */
const insertOldVisits = (count: number) =>
  sql`insert into visits (at) select timestamptz '2027-03-07T12:00:00Z' + number * interval '1 ms'
    from generate_series(1, ${count}::integer) as number`.execute(db);
const countRows = async () =>
  (await db.selectFrom('visits').select(db.fn.countAll<number>().as('rows')).execute())[0]?.rows;
const caughtUpAt = async () =>
  (await readMetrics(app))('cleanup_caught_up_timestamp_seconds', { table: 'visits' });

test('only rows that are old enough and match are deleted', async () => {
  const at = (text: string) => new Date(text);
  await db
    .insertInto('visits')
    .values([
      { at: at('2027-03-08T11:59:59Z'), kept: false },
      { at: at('2027-03-08T11:59:58Z'), kept: true },
      { at: at('2027-03-08T12:00:00Z'), kept: false },
    ])
    .execute();
  expect(await createCleanupLoop({ db, clock }, [oldVisits]).run?.()).toBe(0);
  expect(await db.selectFrom('visits').select('at').orderBy('at').execute()).toEqual([
    { at: at('2027-03-08T11:59:58Z') },
    { at: at('2027-03-08T12:00:00Z') },
  ]);
});

test('a backlog is deleted in bounded steps over several runs, and reported until it is gone', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2027-03-09T12:00:00Z') });
  await insertOldVisits(130_000);
  const loop = createCleanupLoop({ db, clock }, [oldVisits]);
  const left: (number | undefined)[] = [];
  const caughtUp: (number | undefined)[] = [];
  for (let run = 1; run <= 2; run += 1) {
    vi.setSystemTime(new Date('2027-03-09T12:00:00Z').getTime() + run * 60_000);
    await loop.run?.();
    left.push(await countRows());
    caughtUp.push(await caughtUpAt());
  }
  expect(left).toEqual([30_000, 0]);
  const start = Date.parse('2027-03-09T12:00:00Z') / 1000;
  expect(caughtUp).toEqual([start, start + 120]);
});

test('no statement deletes more than 5,000 rows', async () => {
  await sql`create table statements (deleted bigint)`.execute(db);
  await sql`create function note_deleted() returns trigger language plpgsql as $body$
    begin insert into statements select count(*) from gone; return null; end $body$`.execute(db);
  await sql`create trigger note_deleted after delete on visits referencing old table as gone
    for each statement execute function note_deleted()`.execute(db);
  await insertOldVisits(12_000);
  await createCleanupLoop({ db, clock }, [oldVisits]).run?.();
  const { rows } = await sql<{ deleted: number }>`select deleted from statements`.execute(db);
  expect(rows.map(({ deleted }) => deleted)).toEqual([5_000, 5_000, 2_000]);
});

test('rows locked by others are left to the next run', async () => {
  await insertOldVisits(2);
  const loop = createCleanupLoop({ db, clock }, [oldVisits]);
  await db.transaction().execute(async (trx) => {
    await sql`select from visits order by at limit 1 for update`.execute(trx);
    await loop.run?.();
    expect(await countRows()).toBe(1);
  });
  await loop.run?.();
  expect(await countRows()).toBe(0);
});

test('a table that fails does not stop the others', async () => {
  await insertOldVisits(1);
  const broken = { ...oldVisits, only: () => sql<boolean>`no_such_column` };
  await expect(createCleanupLoop({ db, clock }, [broken, oldVisits]).run?.()).rejects.toThrow(
    'no_such_column',
  );
  expect(await countRows()).toBe(0);
});
