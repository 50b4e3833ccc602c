import { join } from 'node:path';
import { LauncherError } from './failure.ts';
import { compiledDir, repoRoot } from './layout.ts';
import { runProgram } from './run-program.ts';
import { type Schema, type Secrets, schemas } from './secrets.ts';

export const databaseName = 'daylift';

/** Services with a database, and their schemas. */
export const schemaOfService: Record<string, Schema> = Object.fromEntries(
  schemas.map((schema) => [schema.replace('_', '-'), schema]),
);

export const roleOf = (schema: Schema): string => `daylift_${schema}`;

/** Returns the URL of a service's own schema; its role has no access to others. */
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
 * Creates database, schemas and roles and runs all migrations. Runs as a separate process to keep the launcher small;
 * the input goes through stdin, because others can read arguments.
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
  const { code, output } = await runProgram(
    process.execPath,
    [join(import.meta.dirname, 'prepare-databases.ts')],
    {
      cwd: repoRoot,
      env: { ...process.env, NODE_COMPILE_CACHE: compiledDir },
      input: JSON.stringify(input),
    },
  );
  if (code !== 0) throw new LauncherError(`The databases could not be prepared. ${output}`);
}
