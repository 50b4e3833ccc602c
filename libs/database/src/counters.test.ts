import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@daylift/testing/test-database';
import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CounterTables, changeCounter, foldCounters, readCounters } from './counters.ts';
import { createDatabase } from './create-database.ts';

interface Tables extends CounterTables {
  notes: { id: number; kind: string; note: string };
}

let database: TestDatabase;
let db: Kysely<Tables>;
beforeEach(async () => {
  database = await createTestDatabase({
    schema: 'counters',
    folder: join(import.meta.dirname, '../test/counter-migrations'),
  });
  db = createDatabase<Tables>({ url: database.url, name: 'test', onError: () => undefined });
});
afterEach(async () => {
  await db.destroy();
  await database.drop();
});

const read = async () =>
  Object.fromEntries([
    ...(await readCounters(db, 'letters.')),
    ...(await readCounters(db, 'notes')),
  ]);
const write = (id: number, kind: string, note: string) =>
  db.insertInto('notes').values({ id, kind, note }).execute();

test('existing rows are counted, and then every inserted, changed or deleted row', async () => {
  expect(await read()).toEqual({ 'letters.old': 11, notes: 1 });
  await write(1, 'new', 'abc');
  await db.updateTable('notes').set({ kind: 'new' }).where('id', '=', -1).execute();
  expect(await read()).toEqual({ 'letters.old': 0, 'letters.new': 14, notes: 2 });
  await sql`insert into notes values (1, 'x', 'y') on conflict (id) do update set note = 'abcd'`.execute(
    db,
  );
  await db.deleteFrom('notes').where('id', '=', -1).execute();
  expect(await read()).toEqual({ 'letters.old': 0, 'letters.new': 4, notes: 1 });
});

test('a statement for many rows makes one change per counter, and one without effect makes none', async () => {
  const changes = async () =>
    (await db.selectFrom('counter_changes').select('name').execute()).length;
  await foldCounters(db);
  await sql`insert into notes select n, 'bulk', 'abc' from generate_series(1, 1000) n`.execute(db);
  expect(await changes()).toBe(2);
  await sql`update notes set note = 'xyz' where kind = 'bulk'`.execute(db);
  expect(await changes()).toBe(2);
});

test('counts equal a recount at every instant, with concurrent writers, failures and folds', async () => {
  let isOver = false;
  const writer = async (first: number) => {
    for (let id = first; id < first + 60; id += 1) {
      await write(id, `kind ${id % 3}`, 'x'.repeat(id % 7));
      if (id % 2 === 0)
        await db.updateTable('notes').set({ note: '!' }).where('id', '=', id).execute();
      if (id % 5 === 0) await db.deleteFrom('notes').where('id', '=', id).execute();
      await write(id === first ? id : first, 'twice', 'fails').catch(() => undefined);
    }
  };
  const folder = async () => {
    while (!isOver) await foldCounters(db);
  };
  const auditor = async () => {
    while (!isOver) {
      const { rows } = await sql<{ counted: number; real: number }>`select
        (select coalesce(sum(value), 0)::bigint from counters where name = 'notes')
        + (select coalesce(sum(change), 0)::bigint from counter_changes where name = 'notes') as counted,
        (select count(*) from notes) as real`.execute(db);
      expect(rows[0]?.counted).toBe(rows[0]?.real);
    }
  };
  const watching = [folder(), folder(), auditor()];
  await Promise.all([writer(1_000), writer(2_000), writer(3_000)]);
  isOver = true;
  await Promise.all(watching);
  while ((await foldCounters(db)) > 0);
  expect(await db.selectFrom('counter_changes').selectAll().execute()).toEqual([]);
  const { rows } = await sql<{ kind: string; letters: number }>`
    select kind, sum(length(note)) as letters from notes group by kind`.execute(db);
  const letters = Object.fromEntries(rows.map((row) => [`letters.${row.kind}`, row.letters]));
  expect(Object.fromEntries(await readCounters(db, 'letters.'))).toEqual(letters);
});

test('a counter without a table counts explicit changes, only if the transaction commits', async () => {
  await db.transaction().execute((trx) => changeCounter(trx, 'days.2027-04-05', 2));
  await db
    .transaction()
    .execute(async (trx) => {
      await changeCounter(trx, 'days.2027-04-05', 5);
      throw new Error('no');
    })
    .catch(() => undefined);
  await changeCounter(db, 'days.2027-04-04', 1);
  await changeCounter(db, 'daz', 1);
  const all = await readCounters(db, 'days.');
  expect([...all].toSorted()).toEqual([
    ['days.2027-04-04', 1],
    ['days.2027-04-05', 2],
  ]);
  expect([...(await readCounters(db, 'days.', 'days.2027-04-05'))]).toEqual([
    ['days.2027-04-05', 2],
  ]);
});
