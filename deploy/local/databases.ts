import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { LauncherError } from './failure.ts';
import { repoRoot } from './layout.ts';
import { type Schema, type Secrets, schemas } from './secrets.ts';

export const databaseName = 'daylift';

/** The services that keep data, and the schema of each. */
export const schemaOfService: Record<string, Schema> = Object.fromEntries(
  schemas.map((schema) => [schema.replace('_', '-'), schema]),
);

export const roleOf = (schema: Schema): string => `daylift_${schema}`;

/** The address with which one service reaches its own schema and no other. */
export function databaseUrl(adminUrl: string, schema: Schema, secrets: Secrets): string {
  const url = new URL(adminUrl);
  url.username = roleOf(schema);
  url.password = secrets.role_passwords[schema];
  url.pathname = `/${databaseName}`;
  return url.href;
}

export interface PrepareInput {
  adminUrl: string;
  databaseName: string;
  schemas: { name: Schema; role: string; password: string; url: string; migrations: string }[];
}

/**
 * Creates database, schemas and roles and runs all migrations. A process of its own does it, so that the launcher
 * stays small; what it must know goes in by standard input, because others can read arguments.
 */
export async function prepareDatabases(adminUrl: string, secrets: Secrets): Promise<void> {
  const input: PrepareInput = {
    adminUrl,
    databaseName,
    schemas: Object.entries(schemaOfService).map(([service, name]) => ({
      name,
      role: roleOf(name),
      password: secrets.role_passwords[name],
      url: databaseUrl(adminUrl, name, secrets),
      migrations: join(repoRoot, 'services', service, 'migrations'),
    })),
  };
  await new Promise<void>((resolve, reject) => {
    let words = '';
    const child = spawn(process.execPath, [join(import.meta.dirname, 'prepare-databases.ts')], {
      cwd: repoRoot,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        words = (words + text).slice(-4000);
      });
    }
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0
        ? resolve()
        : reject(new LauncherError(`The databases could not be prepared. ${words.trim()}`)),
    );
    child.stdin.end(JSON.stringify(input));
  });
}
