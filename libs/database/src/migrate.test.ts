import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@daylift/testing/test-database';
import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDatabase } from './create-database.ts';
import { migrate } from './migrate.ts';

const folder = join(import.meta.dirname, '../test/migrations');
const patientFolder = join(import.meta.dirname, '../test/patient-migrations');
const busyFolder = join(import.meta.dirname, '../test/busy-migrations');
const brokenFolder = join(import.meta.dirname, '../test/broken-migrations');

let emptyFolder: string;
let database: TestDatabase;
let db: Kysely<{ texts: { local_date: string; note: string } }>;
beforeEach(async () => {
  emptyFolder = mkdtempSync(join(tmpdir(), 'daylift-migrations-'));
  database = await createTestDatabase({ schema: 'unmigrated', folder: emptyFolder });
  db = createDatabase({ url: database.url, name: 'test', onError: () => undefined });
});
afterEach(async () => {
  await db.destroy();
  await database.drop();
  rmSync(emptyFolder, { recursive: true });
});

const run = (from = folder) => migrate({ databaseUrl: database.url, folder: from });
const tableOf = async (name: string) =>
  (await sql<{ found: string | null }>`select to_regclass(${name})::text as found`.execute(db))
    .rows[0]?.found;

test('migrations run once, in the order of their numbers', async () => {
  expect(await run()).toEqual(['001_create_texts', '002_fill_texts']);
  expect(await run()).toEqual([]);
});

test('when replicas migrate concurrently, one runs a migration and the others wait', async () => {
  const ran = await Promise.all([run(), run(), run(), run()]);
  expect(ran.flat().sort()).toEqual(['001_create_texts', '002_fill_texts']);
  expect(await db.selectFrom('texts').select('note').execute()).toEqual([{ note: 'once' }]);
});

test('a return to an earlier version leaves the later schema as it is', async () => {
  await run();
  const name = '001_create_texts.ts';
  symlinkSync(join(folder, name), join(emptyFolder, name));
  expect(await run(emptyFolder)).toEqual([]);
  expect(await db.selectFrom('texts').select('note').execute()).toEqual([{ note: 'once' }]);
  expect(await run()).toEqual([]);
});

test('a return is refused to a version that still uses what a later one has removed', async () => {
  await run();
  const removal = '003_drop_note_unused_since_002';
  await sql`insert into kysely_migration (name, timestamp) values (${removal}, '2999')`.execute(db);
  expect(await run()).toEqual([]);
  const name = '001_create_texts.ts';
  symlinkSync(join(folder, name), join(emptyFolder, name));
  await expect(run(emptyFolder)).rejects.toThrow(
    `${removal} of a later version removed what this version uses`,
  );
});

test('a failed migration is named and rolled back', async () => {
  await expect(run(brokenFolder)).rejects.toThrow(/002_ask_for_nothing .* failed: .*"nothing"/);
  expect(await tableOf('half_of_it')).toBeNull();
  expect(await tableOf('notes')).toBe('notes');
});

test('a migration waits for a table in use, without blocking other tables', async () => {
  await sql`create table outbox (id integer)`.execute(db);
  await sql`create table busy (id integer)`.execute(db);
  const waitLogged = Promise.withResolvers<string>();
  const inUse = await db.startTransaction().execute();
  await sql`select * from busy`.execute(inUse);
  const migrated = migrate({
    databaseUrl: database.url,
    folder: busyFolder,
    log: { warn: waitLogged.resolve },
  });
  expect(await waitLogged.promise).toMatch(
    'Migration 002_extend_busy: blocked by another transaction',
  );
  await db.transaction().execute(async (trx) => {
    await sql`set local lock_timeout = '10s'`.execute(trx);
    await sql`insert into outbox (id, trace) values (1, 'of the first migration')`.execute(trx);
    await sql`insert into busy (id) values (1)`.execute(trx);
  });
  await inUse.commit().execute();
  expect(await migrated).toEqual(['001_extend_outbox', '002_extend_busy']);
});

test('a migration waits for a server that is slow to accept connections', async () => {
  const { hostname, port } = new URL(database.url);
  const sockets: Socket[] = [];
  const slow = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined));
    // The first connection gets no response.
    if (sockets.length === 1) return;
    const server = connect(Number(port), hostname);
    sockets.push(server.on('error', () => undefined));
    socket.pipe(server).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(slow, 'listening');
  const url = new URL(database.url);
  url.host = `127.0.0.1:${(slow.address() as AddressInfo).port}`;
  url.searchParams.delete('host');
  try {
    const lines: string[] = [];
    const log = { warn: (line: string) => lines.push(line) };
    const ran = await migrate({ databaseUrl: url.href, folder, log });
    expect(ran).toEqual(['001_create_texts', '002_fill_texts']);
    expect(lines).toEqual([expect.stringContaining('waiting for the database')]);
  } finally {
    for (const socket of sockets) socket.destroy();
    slow.close();
  }
});

test('a migration has no statement timeout', async () => {
  await run(patientFolder);
  const noted = await sql`select of_a_statement from patience`.execute(db);
  expect(noted.rows).toEqual([{ of_a_statement: '0' }]);
  const after = await sql`select current_setting('statement_timeout') as of_a_statement`.execute(
    db,
  );
  expect(after.rows).toEqual([{ of_a_statement: '30s' }]);
});
