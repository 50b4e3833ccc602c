import { createHash, type Hash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { prepareAuditSchema, readAuditSchema } from '@daylift/database/audit-schema';
import { migrate } from '@daylift/database/migrate';
import pg from 'pg';
import { requiredUrl } from './servers.ts';

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/**
 * Creates a database with the service's real migrations, by copying a template. The template is keyed by the contents
 * of the `migrations` folder and the `library` folder beside it. `schema` is the service's, such as `sms_gateway`.
 */
export async function createTestDatabase(options: {
  schema: string;
  folder: string;
}): Promise<TestDatabase> {
  const adminUrl = requiredUrl('TEST_DATABASE_ADMIN_URL');
  const template = `template_${options.schema}_${await digest(options.folder)}`;
  const name = `test_${options.schema}_${randomBytes(6).toString('hex')}`;
  const role = `test_${options.schema}`;
  await withClient(adminUrl, async (admin) => {
    await admin.query('select pg_advisory_lock(727)');
    await ensureRole(admin, role);
    const found = await admin.query('select 1 from pg_database where datname = $1', [template]);
    if (found.rowCount === 0) await createTemplate(admin, { adminUrl, template, role, ...options });
    // By default, the copy goes through the log, which takes more CPU time.
    await admin.query(
      `create database ${name} template ${template} owner ${role} strategy file_copy`,
    );
  });
  return {
    url: roleUrl(adminUrl, role, name),
    drop: () =>
      withClient(
        adminUrl,
        async (admin) => void (await admin.query(`drop database if exists ${name} with (force)`)),
      ),
  };
}

async function createTemplate(
  admin: pg.Client,
  options: { adminUrl: string; template: string; role: string; schema: string; folder: string },
): Promise<void> {
  const half = `${options.template}_half`;
  await admin.query(`drop database if exists ${half} with (force)`);
  await admin.query(`create database ${half} owner ${options.role}`);
  await withClient(databaseUrl(options.adminUrl, half), async (client) => {
    await client.query(`create schema ${options.schema} authorization ${options.role}`);
    await client.query(
      `alter role ${options.role} in database ${half} set search_path = ${options.schema}`,
    );
    if (options.schema === 'accounts') await prepareAuditSchema(client);
  });
  await migrate({
    databaseUrl: roleUrl(options.adminUrl, options.role, half),
    folder: options.folder,
  });
  await admin.query(`alter database ${half} rename to ${options.template}`);
}

async function ensureRole(admin: pg.Client, role: string): Promise<void> {
  const found = await admin.query('select 1 from pg_roles where rolname = $1', [role]);
  if (found.rowCount === 0) await admin.query(`create role ${role} login password '${role}'`);
  await admin.query(`alter role ${role} set search_path = ${role.replace('test_', '')}`);
}

async function digest(folder: string): Promise<string> {
  const hash = createHash('sha256');
  await digestFiles(hash, folder);
  const library = join(folder, '../library');
  if (existsSync(library)) await digestFiles(hash, library);
  hash.update(await readAuditSchema());
  // Migrations take these tables from libraries, so their code is part of the key.
  for (const library of ['@daylift/events/event-tables', '@daylift/mail/mail']) {
    hash.update(await readFile(new URL(import.meta.resolve(library))));
  }
  return hash.digest('hex').slice(0, 12);
}

async function digestFiles(hash: Hash, folder: string): Promise<void> {
  for (const file of (await readdir(folder)).sort())
    hash.update(file).update(await readFile(join(folder, file)));
}

async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

function databaseUrl(adminUrl: string, database: string): string {
  const url = new URL(adminUrl);
  url.pathname = `/${database}`;
  return url.href;
}

function roleUrl(adminUrl: string, role: string, database: string): string {
  const url = new URL(databaseUrl(adminUrl, database));
  url.username = role;
  url.password = role;
  return url.href;
}
