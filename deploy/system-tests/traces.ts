import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { databaseName } from '../local/databases.ts';

/** Returns where one of the traces occurs in a folder's files: `file: trace`. */
export async function filesWith(folder: string, traces: string[]): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.filter((one) => one.isFile())) {
    // A file may have been replaced; the new one is read next time.
    const bytes = await readFile(join(entry.parentPath, entry.name)).catch(() => null);
    for (const trace of traces)
      if (bytes?.includes(trace)) found.push(`${entry.name}: ${JSON.stringify(trace)}`);
  }
  return found;
}

/** Returns where one of the traces occurs in any table of any schema, case-insensitively: `schema.table: trace`. */
export async function tablesWith(adminUrl: string, traces: string[]): Promise<string[]> {
  const url = new URL(adminUrl);
  url.pathname = `/${databaseName}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(`
      select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`);
    const found: string[] = [];
    for (const { name } of tables.rows) {
      const rows = await client.query<{ trace: string }>(
        `select distinct trace from ${name} as t, unnest($1::text[]) as trace
          where strpos(lower(t::text), lower(trace)) > 0`,
        [traces],
      );
      found.push(...rows.rows.map(({ trace }) => `${name}: ${JSON.stringify(trace)}`));
    }
    return found;
  } finally {
    await client.end();
  }
}
