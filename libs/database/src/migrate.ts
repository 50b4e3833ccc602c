import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { createDatabase } from './create-database.ts';

/**
 * Brings one service's schema up to date and answers the names of the migrations that ran. Safe to run by several
 * replicas at once: kysely takes an advisory lock for the whole run.
 */
export async function migrate(options: { databaseUrl: string; folder: string }): Promise<string[]> {
  const db = createDatabase<unknown>({
    url: options.databaseUrl,
    max: 2,
    name: 'migrate',
    // An index of many millions of rows is not made in half a minute.
    statementTimeoutMs: 0,
    onError: () => undefined,
  });
  try {
    return await migrateDatabase(db, options.folder);
  } finally {
    await db.destroy();
  }
}

async function migrateDatabase(db: Kysely<unknown>, folder: string): Promise<string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations: () => readMigrations(folder) } });
  const { error, results } = await migrator.migrateToLatest();
  if (error !== undefined) {
    const failed = results?.find((one) => one.status === 'Error')?.migrationName ?? 'none';
    throw new Error(
      `Migration ${failed} of ${folder} failed: ${error instanceof Error ? error.message : String(error)}`,
      {
        cause: error,
      },
    );
  }
  return (results ?? []).map((one) => one.migrationName);
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
