// Run by databases.ts as a separate process, with its input on stdin.
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { prepareAuditSchema } from '@daylift/database/audit-schema';
import { migrate } from '@daylift/database/migrate';
import pg from 'pg';
import type { PrepareInput } from './databases.ts';

/** Errors of a server that is starting or recovering, or whose name doesn't resolve yet. */
const startingCodes = new Set(['57P03', 'ECONNREFUSED', 'ECONNRESET', 'EAI_AGAIN']);

async function connect(url: string): Promise<pg.Client> {
  for (let tries = 0; ; tries += 1) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      return client;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (code === '28P01') {
        throw new Error(
          "The password in secrets.json doesn't match the database. Restore the file that belongs to this data, or start over: npm start -- --fresh (deletes the data).",
        );
      }
      if (!startingCodes.has(code) || tries >= 600) throw error;
      await delay(100);
    }
  }
}

const { escapeIdentifier, escapeLiteral } = pg;

async function withClient(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = await connect(url);
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

async function createRolesAndDatabase(client: pg.Client, input: PrepareInput): Promise<void> {
  const { rows } = await client.query<{ rolname: string }>('select rolname from pg_roles');
  const roles = new Set(rows.map((row) => row.rolname));
  for (const { role, password } of input.schemas) {
    const verb = roles.has(role) ? 'alter' : 'create';
    await client.query(
      `${verb} role ${escapeIdentifier(role)} with login nosuperuser nocreatedb nocreaterole password ${escapeLiteral(password)}`,
    );
  }
  const found = await client.query('select 1 from pg_database where datname = $1', [
    input.databaseName,
  ]);
  const database = escapeIdentifier(input.databaseName);
  if (found.rowCount === 0) await client.query(`create database ${database}`);
  await client.query(`revoke all on database ${database} from public`);
}

/** Creates the schemas, each owned by a role without access to the others. */
async function createSchemas(client: pg.Client, input: PrepareInput): Promise<void> {
  await client.query('revoke all on schema public from public');
  for (const { name, role: roleName } of input.schemas) {
    const role = escapeIdentifier(roleName);
    const database = escapeIdentifier(input.databaseName);
    await client.query(`grant connect on database ${database} to ${role}`);
    // On your own server, the administrator may not be a superuser: only members can transfer ownership.
    await client.query(`grant ${role} to current_user`);
    await client.query(
      `create schema if not exists ${escapeIdentifier(name)} authorization ${role}`,
    );
    await client.query(
      `alter role ${role} in database ${database} set search_path = ${escapeIdentifier(name)}`,
    );
  }
}

const input = JSON.parse(await text(process.stdin)) as PrepareInput;
try {
  await withClient(input.adminUrl, (client) => createRolesAndDatabase(client, input));
  const inside = new URL(input.adminUrl);
  inside.pathname = `/${input.databaseName}`;
  await withClient(inside.href, async (client) => {
    await createSchemas(client, input);
    await prepareAuditSchema(client);
  });
  const withMigrations = input.schemas.filter(({ migrations }) => existsSync(migrations));
  await Promise.all(
    withMigrations.map(({ url, migrations }) =>
      migrate({ databaseUrl: url, folder: migrations, log: console }),
    ),
  );
} catch (error) {
  // Only the message: the rest of the error can contain URLs with passwords.
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
