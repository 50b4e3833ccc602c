import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type Kysely, sql } from 'kysely';
import {
  DEFAULT_MIGRATION_LOCK_TABLE,
  DEFAULT_MIGRATION_TABLE,
  type Migration,
  Migrator,
} from 'kysely/migration';
import { createDatabase } from './create-database.ts';

/** How long a migration waits for a table; everyone queued behind it waits as long. */
const lockTimeoutMs = 2_000;
/** How long one migration is retried; within the deadline of the Job that runs it. */
const patienceMs = 600_000;
/** How long a server that just started may take to accept a connection on a busy machine. */
const connectPatienceMs = 60_000;
/** Postgres error codes of a lock timeout and a deadlock. */
const heldByOthers = new Set<unknown>(['55P03', '40P01']);
/** The driver's errors without a code: a connection wasn't ready in time. */
const connectTimeout = /due to connection timeout|timeout exceeded when trying to connect/;

interface MigrateOptions {
  databaseUrl: string;
  folder: string;
  /** Receives a line when a migration has to wait. */
  log?: { warn(line: string): void };
}

/**
 * Migrates one service's schema and returns the names of the migrations that ran. Safe on several replicas: kysely
 * takes an advisory lock. Safe beside running services: each migration has its own transaction, so a lock on one table
 * isn't held while the next migration waits for another.
 */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const db = createDatabase<unknown>({
    url: options.databaseUrl,
    max: 2,
    name: 'migrate',
    // An index of many millions of rows takes longer than half a minute.
    statementTimeoutMs: 0,
    lockTimeoutMs,
    onError: () => undefined,
  });
  Object.defineProperty(db, 'introspection', { value: introspectMigrations(db) });
  const migrations = await readMigrations(options.folder);
  const getMigrations = async () => ({ ...(await findLater(db, migrations)), ...migrations });
  const migrator = new Migrator({ db, provider: { getMigrations } });
  const ran: string[] = [];
  try {
    for (;;) {
      const name = await migrateNext(migrator, options);
      if (name === undefined) return ran;
      ran.push(name);
    }
  } finally {
    await db.destroy();
  }
}

/**
 * Returns placeholders for migrations that a later version has run. After a return to this version they are unknown, and
 * Kysely would reject them. They only add, so this version's code runs on their schema, except those that removed what
 * versions without a certain migration use.
 */
async function findLater(
  db: Kysely<unknown>,
  known: Record<string, Migration>,
): Promise<Record<string, Migration>> {
  const newest = Object.keys(known).at(-1) ?? '';
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(db);
  const later = rows.filter(({ name }) => name > newest);
  for (const { name } of later)
    if ((/_unused_since_(\d{3})$/.exec(name)?.[1] ?? '') > newest)
      throw new Error(`${name} of a later version removed what this version uses`);
  return Object.fromEntries(later.map(({ name }) => [name, { up: async () => undefined }]));
}

/**
 * Returns Kysely's migration tables only. Kysely checks for them before each migration, and by default reads every
 * column in the database.
 */
const introspectMigrations = (db: Kysely<unknown>) => ({
  getTables: async () => {
    const { rows } = await sql<{ name: string }>`
      select tablename as name from pg_tables where schemaname = current_schema()
      and tablename in (${DEFAULT_MIGRATION_TABLE}, ${DEFAULT_MIGRATION_LOCK_TABLE})`.execute(db);
    return rows;
  },
});

/** Runs the next pending migration and returns its name, or undefined when all have run. */
async function migrateNext(
  migrator: Migrator,
  { folder, log }: MigrateOptions,
): Promise<string | undefined> {
  const startedMs = performance.now();
  for (;;) {
    const { error, results } = await migrator.migrateUp();
    const name = results?.[0]?.migrationName;
    if (error === undefined) return name;
    const { message, code } = error as { message: string; code?: unknown };
    const isLocked = heldByOthers.has(code);
    const maxMs = isLocked ? patienceMs : connectTimeout.test(message) ? connectPatienceMs : 0;
    const what = name === undefined ? 'Reading migrations' : `Migration ${name}`;
    if (performance.now() - startedMs > maxMs)
      throw new Error(`${what} of ${folder} failed: ${message}`, { cause: error });
    const pauseMs = 1_000 + Math.random() * 4_000;
    const reason = isLocked ? 'blocked by another transaction' : 'waiting for the database';
    log?.warn(`${what}: ${reason} (${message}); retrying in ${Math.round(pauseMs / 1_000)} s`);
    await delay(pauseMs);
  }
}

async function readMigrations(folder: string): Promise<Record<string, Migration>> {
  const files = (await readdir(folder)).filter((file) => /^\d{3}_.*\.ts$/.test(file)).sort();
  const migrations: Record<string, Migration> = {};
  for (const file of files) {
    migrations[file.replace(/\.ts$/, '')] = (await import(
      pathToFileURL(join(folder, file)).href
    )) as Migration;
  }
  return migrations;
}
