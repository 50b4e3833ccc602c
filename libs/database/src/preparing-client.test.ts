import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@daylift/testing/test-database';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase } from './create-database.ts';

let database: TestDatabase;
/** A single connection, because statements are prepared per session. */
let db: Kysely<unknown>;
beforeAll(async () => {
  database = await createTestDatabase({
    schema: 'partitions',
    folder: join(import.meta.dirname, '../test/migrations'),
  });
  db = createDatabase({ url: database.url, max: 1, name: 'test', onError: () => undefined });
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

async function preparedWith(words: string): Promise<number> {
  const { rows } = await sql<{ found: number }>`select count(*) as found from pg_prepared_statements
    where position(${words} in statement) > 0 and position('pg_prepared' in statement) = 0`.execute(
    db,
  );
  return rows[0]!.found;
}

async function times(count: number, run: () => Promise<unknown>): Promise<void> {
  for (let done = 0; done < count; done += 1) await run();
}

test('a repeated statement is prepared once, whatever its values', async () => {
  const values: number[] = [];
  await times(8, async () => {
    const { rows } = await sql<{ sum: number }>`select ${values.length}::int + 40 as sum`.execute(
      db,
    );
    values.push(rows[0]!.sum);
  });
  expect(values).toEqual([40, 41, 42, 43, 44, 45, 46, 47]);
  expect(await preparedWith('+ 40 as sum')).toBe(1);
});

test('a statement that ran once or twice is not prepared', async () => {
  await times(2, () => sql`select ${1}::int as rare`.execute(db));
  expect(await preparedWith('as rare')).toBe(0);
});

test('a repeated statement is prepared after very many others, and stays prepared while it is used', async () => {
  const read = (name: string) => sql`select ${1}::int as ${sql.id(name)}`.execute(db);
  await times(3, () => read('used'));
  for (let other = 0; other < 400; other += 1) {
    await read(`other ${other}`);
    if (other % 100 === 0) await read('used');
  }
  for (const name of ['used', 'late']) await times(3, () => read(name));
  expect([await preparedWith('used'), await preparedWith('late')]).toEqual([1, 1]);
});

test('reading all columns still works after a migration adds one', async () => {
  const read = () => sql`select * from texts where note = ${'x'}`.execute(db);
  await times(6, read);
  await sql`alter table texts add column added text`.execute(db);
  await read();
  expect(await preparedWith('from texts')).toBe(0);
});
