import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@daylift/testing/test-database';
import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDatabase } from './create-database.ts';
import { migrate } from './migrate.ts';

const folder = join(import.meta.dirname, '../test/migrations');
const patientFolder = join(import.meta.dirname, '../test/patient-migrations');
const brokenFolder = join(import.meta.dirname, '../test/broken-migrations');

let nothing: string;
let database: TestDatabase;
let db: Kysely<{ texts: { local_date: string; note: string } }>;
beforeEach(async () => {
  nothing = mkdtempSync(join(tmpdir(), 'daylift-migrations-'));
  database = await createTestDatabase({ schema: 'unmigrated', folder: nothing });
  db = createDatabase({ url: database.url, name: 'test', onError: () => undefined });
});
afterEach(async () => {
  await db.destroy();
  await database.drop();
  rmSync(nothing, { recursive: true });
});

const run = (from = folder) => migrate({ databaseUrl: database.url, folder: from });
const tableOf = async (name: string) =>
  (await sql<{ found: string | null }>`select to_regclass(${name})::text as found`.execute(db))
    .rows[0]?.found;

test('migrations run in the order of their numbers, and only those that have not run', async () => {
  expect(await run()).toEqual(['001_create_texts', '002_fill_texts']);
  expect(await run()).toEqual([]);
});

test('of replicas that migrate at the same moment, one does it and the others wait', async () => {
  const ran = await Promise.all([run(), run(), run(), run()]);
  expect(ran.flat()).toEqual(['001_create_texts', '002_fill_texts']);
  expect(await db.selectFrom('texts').select('note').execute()).toEqual([{ note: 'once' }]);
});

test('a migration that fails is named and leaves nothing half done', async () => {
  await expect(run(brokenFolder)).rejects.toThrow(/002_ask_for_nothing .* failed: .*"nothing"/);
  expect(await tableOf('notes')).toBeNull();
});

test('a migration takes as long as its tables are large, unlike a statement of a service', async () => {
  await run(patientFolder);
  const noted = await sql`select of_a_statement from patience`.execute(db);
  expect(noted.rows).toEqual([{ of_a_statement: '0' }]);
  const ours = await sql`select current_setting('statement_timeout') as of_a_statement`.execute(db);
  expect(ours.rows).toEqual([{ of_a_statement: '30s' }]);
});
