import { join } from 'node:path';
import { eventually } from '@daylift/testing/eventually';
import { createTestDatabase, type TestDatabase } from '@daylift/testing/test-database';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { afterCommit, createDatabase } from './create-database.ts';

let database: TestDatabase;
let db: Kysely<unknown>;
const lost: Error[] = [];
beforeAll(async () => {
  database = await createTestDatabase({
    schema: 'partitions',
    folder: join(import.meta.dirname, '../test/migrations'),
  });
  db = createDatabase({
    url: database.url,
    max: 1,
    name: 'test',
    onError: (error) => lost.push(error),
  });
});
beforeEach(() => {
  lost.length = 0;
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

/** Closes connections like a stopping server. */
async function breakConnections(): Promise<void> {
  const other = createDatabase<unknown>({
    url: database.url,
    name: 'breaker',
    onError: () => undefined,
  });
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'test' and datname = current_database()`.execute(other);
  await other.destroy();
}

test('local dates stay text, counts and sums are numbers, decimals are exact', async () => {
  const { rows } = await sql`select date '2027-03-07' as local_date, count(*) as rows,
    sum(length(note)) as letters, 0.1000::numeric as cost from texts`.execute(db);
  expect(rows).toEqual([{ local_date: '2027-03-07', rows: 1, letters: 4, cost: '0.1000' }]);
});

test('a broken idle connection is reported once and replaced', async () => {
  await sql`select 1`.execute(db);
  await breakConnections();
  await eventually(() => lost.length > 0);
  expect((await sql`select 1 as answer`.execute(db)).rows).toEqual([{ answer: 1 }]);
  expect(lost).toMatchObject([{ code: '57P01' }]);
});

test('a connection broken in a transaction fails only that transaction', async () => {
  const broken = db.transaction().execute(async (trx) => {
    await breakConnections();
    await sql`select 1`.execute(trx);
  });
  await expect(broken).rejects.toThrow(/connection|terminat|ECONNRESET|EPIPE/i);
  expect((await sql`select 1 as answer`.execute(db)).rows).toEqual([{ answer: 1 }]);
});

test('a connection closed by the server in a transaction is reported once and fails it with the reason', async () => {
  const ended = db.transaction().execute(async (trx) => {
    await sql`set local idle_in_transaction_session_timeout = 50`.execute(trx);
    await eventually(() => lost.length > 0);
    await sql`select 1`.execute(trx);
  });
  await expect(ended).rejects.toMatchObject({ code: '25P03' });
  await sql`select 1`.execute(db);
  expect(lost).toMatchObject([{ code: '25P03' }]);
});

test('a transaction that deadlocks with another is retried, and both commit', async () => {
  const two = createDatabase<unknown>({ url: database.url, name: 'two', onError: () => undefined });
  await sql`create table accounts_of_test as select n as id, 0 as value from generate_series(1, 2) as n`.execute(
    two,
  );
  const attempts = [0, 0];
  const bothHoldOne = Promise.withResolvers<void>();
  let holding = 0;
  const update = (trx: Kysely<unknown>, id: number) =>
    sql`update accounts_of_test set value = value + 1 where id = ${id}`.execute(trx);
  const crossing = (index: number, first: number, second: number) =>
    two.transaction().execute(async (trx) => {
      attempts[index]! += 1;
      await update(trx, first);
      holding += 1;
      if (holding === 2) bothHoldOne.resolve();
      await bothHoldOne.promise;
      await update(trx, second);
    });
  await Promise.all([crossing(0, 1, 2), crossing(1, 2, 1)]);
  const { rows } = await sql`select value from accounts_of_test`.execute(two);
  expect(rows).toEqual([{ value: 2 }, { value: 2 }]);
  expect(attempts.toSorted()).toEqual([1, 2]);
  await two.destroy();
});

test('serializable transactions that conflict are retried, and all commit', async () => {
  const two = createDatabase<unknown>({ url: database.url, name: 'two', onError: () => undefined });
  await sql`create table tallies as select 0 as value`.execute(two);
  const bothRead = Promise.withResolvers<void>();
  let reading = 0;
  const increment = () =>
    two
      .transaction()
      .setIsolationLevel('serializable')
      .setAccessMode('read write')
      .execute(async (trx) => {
        const { rows } = await sql<{ value: number }>`select value from tallies`.execute(trx);
        reading += 1;
        if (reading === 2) bothRead.resolve();
        await bothRead.promise;
        await sql`update tallies set value = ${rows[0]!.value + 1}`.execute(trx);
      });
  await Promise.all([increment(), increment()]);
  expect((await sql`select value from tallies`.execute(two)).rows).toEqual([{ value: 2 }]);
  expect(reading).toBe(3);
  await two.destroy();
});

test('a transaction that keeps failing to serialize fails after four attempts', async () => {
  let attempts = 0;
  const failing = db.transaction().execute(async (trx) => {
    attempts += 1;
    await sql`do $$ begin raise exception 'no luck' using errcode = '40001'; end $$`.execute(trx);
  });
  await expect(failing).rejects.toMatchObject({ code: '40001' });
  expect(attempts).toBe(4);
});

test('a callback runs once after the commit, however often the transaction was retried, and not after a rollback', async () => {
  const runs: string[] = [];
  const note = () => runs.push('ran');
  let attempts = 0;
  await db.transaction().execute(async (trx) => {
    attempts += 1;
    afterCommit(trx, note);
    afterCommit(trx, note);
    if (attempts === 1) throw Object.assign(new Error('deadlock'), { code: '40P01' });
    expect(runs).toEqual([]);
  });
  expect([attempts, runs]).toEqual([2, ['ran']]);
  const failed = db.transaction().execute(async (trx) => {
    afterCommit(trx, note);
    throw new Error('no');
  });
  await expect(failed).rejects.toThrow('no');
  expect(runs).toEqual(['ran']);
});
