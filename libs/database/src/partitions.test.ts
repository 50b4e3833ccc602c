import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@daylift/testing/test-database';
import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDatabase } from './create-database.ts';
import { dropOldPartitions, ensureMonthlyPartitions, isInMonthsOf } from './partitions.ts';

interface Tables {
  texts: { local_date: string; note: string };
}

let database: TestDatabase;
let db: Kysely<Tables>;
beforeEach(async () => {
  database = await createTestDatabase({
    schema: 'partitions',
    folder: join(import.meta.dirname, '../test/migrations'),
  });
  db = createDatabase<Tables>({ url: database.url, name: 'test', onError: () => undefined });
});
afterEach(async () => {
  await db.destroy();
  await database.drop();
});

const ensure = (from: string) =>
  ensureMonthlyPartitions(db as unknown as Kysely<never>, 'texts', new Date(from));
const partitions = async () => {
  const found = await sql<{ name: string }>`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = 'texts'::regclass order by 1`.execute(
    db,
  );
  return found.rows.map((row) => row.name);
};
const placeOf = async (note: string) =>
  (
    await sql<{ place: string }>`
      select tableoid::regclass::text as place from texts where note = ${note}`.execute(db)
  ).rows.map((row) => row.place);
const write = (local_date: string, note: string) =>
  db.insertInto('texts').values({ local_date, note }).execute();

test('partitions exist for the previous, current and next month, even across years', async () => {
  await ensure('2026-12-31T23:59:59Z');
  expect(await partitions()).toEqual([
    'texts_2026_11',
    'texts_2026_12',
    'texts_2027_01',
    'texts_default',
  ]);
});

test('a row is in the partition of its month, on the first and the last day too', async () => {
  await ensure('2027-02-15T00:00:00Z');
  for (const date of ['2027-02-01', '2027-02-28']) {
    await write(date, date);
    expect(await placeOf(date)).toEqual(['texts_2027_02']);
  }
  await write('2027-03-01', 'next month');
  expect(await placeOf('next month')).toEqual(['texts_2027_03']);
});

test('a row without a partition is kept, and moves once there is one', async () => {
  await write('2027-09-09', 'early');
  expect(await placeOf('early')).toEqual(['texts_default']);
  await ensure('2027-08-01T00:00:00Z');
  expect(await placeOf('early')).toEqual(['texts_2027_09']);
});

test('concurrent and repeated calls are safe', async () => {
  await Promise.all(Array.from({ length: 5 }, () => ensure('2027-01-15T00:00:00Z')));
  await ensure('2027-02-15T00:00:00Z');
  expect(await partitions()).toHaveLength(5);
  await expect(write('2027-03-07', 'once')).rejects.toThrow(/duplicate key/);
});

const drop = (now: string, keptMonths: number) =>
  dropOldPartitions(db as unknown as Kysely<never>, { table: 'texts', keptMonths }, new Date(now));

test('partitions are dropped once their month ended as long ago as rows are kept', async () => {
  await ensure('2027-01-15T00:00:00Z');
  await write('2026-12-31', 'old');
  await write('2027-01-01', 'kept');
  expect(await drop('2027-02-28T23:59:59Z', 2)).toEqual([]);
  expect(await drop('2027-03-01T00:00:00Z', 2)).toEqual(['texts_2026_12']);
  expect(await partitions()).not.toContain('texts_2026_12');
  expect(await placeOf('old')).toEqual([]);
  expect(await placeOf('kept')).toEqual(['texts_2027_01']);
});

test('a partition that was detached before a crash is dropped by the next run', async () => {
  await ensure('2027-01-15T00:00:00Z');
  await sql`alter table texts detach partition texts_2026_12`.execute(db);
  expect(await drop('2027-03-01T00:00:00Z', 2)).toEqual(['texts_2026_12']);
  expect(
    (await sql`select from pg_class where relname = 'texts_2026_12'`.execute(db)).rows,
  ).toEqual([]);
});

test('dropping waits at most a second for a long query, and succeeds after it', async () => {
  await ensure('2027-01-15T00:00:00Z');
  await db.transaction().execute(async (trx) => {
    await sql`select from texts`.execute(trx);
    await expect(drop('2027-03-01T00:00:00Z', 2)).rejects.toThrow('lock timeout');
  });
  expect(await drop('2027-03-01T00:00:00Z', 2)).toEqual(['texts_2026_12']);
});

test('creating waits at most a second for a long query, and succeeds after it', async () => {
  await db.transaction().execute(async (trx) => {
    await sql`select from texts`.execute(trx);
    await expect(ensure('2027-01-15T00:00:00Z')).rejects.toThrow('lock timeout');
    await write('2027-01-01', 'meanwhile');
  });
  await ensure('2027-01-15T00:00:00Z');
  expect(await placeOf('meanwhile')).toEqual(['texts_2027_01']);
});

test.each<[string[], string[]]>([
  [['2027-02-14'], ['2027-02-01', '2027-02-28']],
  [
    ['2027-03-31', '2027-02-01'],
    ['2027-02-01', '2027-02-28', '2027-03-01'],
  ],
  [['9999-12-31'], []],
  // More than two months, or no date: nothing is left out.
  [
    ['2027-02-14', '2027-06-01'],
    ['2027-02-01', '2027-02-28', '2027-03-01'],
  ],
  [[], ['2027-02-01', '2027-02-28', '2027-03-01']],
])('the months of %j contain %j', async (dates, found) => {
  for (const date of ['2027-02-01', '2027-02-28', '2027-03-01']) await write(date, 'mine');
  const rows = await db
    .selectFrom('texts')
    .select('local_date')
    .where('note', '=', 'mine')
    .where(isInMonthsOf(sql.ref('local_date'), dates))
    .orderBy('local_date')
    .execute();
  expect(rows.map(({ local_date }) => local_date)).toEqual(found);
});
