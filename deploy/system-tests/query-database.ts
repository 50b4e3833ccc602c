import pg from 'pg';
import { databaseName } from '../local/databases.ts';
import type { Stack } from '../local/stack.ts';

/** Reads in all schemas at once, as only a test may. */
export async function queryDatabase<T extends pg.QueryResultRow>(
  { databaseAdminUrl }: Stack,
  statement: string,
  values: unknown[] = [],
): Promise<T[]> {
  const url = new URL(databaseAdminUrl);
  url.pathname = `/${databaseName}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    return (await client.query<T>(statement, values)).rows;
  } finally {
    await client.end();
  }
}
