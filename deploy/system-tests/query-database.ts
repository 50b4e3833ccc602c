import pg from 'pg';
import { databaseName } from '../local/databases.ts';
import type { Stack } from '../local/stack.ts';

type WithDatabase = Pick<Stack, 'databaseAdminUrl'>;

/** Connects as the administrator; the caller closes the connection. */
export async function openDatabase({ databaseAdminUrl }: WithDatabase): Promise<pg.Client> {
  const url = new URL(databaseAdminUrl);
  url.pathname = `/${databaseName}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  return client;
}

/** Queries all schemas, which only tests may do. */
export async function queryDatabase<T extends pg.QueryResultRow>(
  stack: WithDatabase,
  statement: string,
  values: unknown[] = [],
): Promise<T[]> {
  const client = await openDatabase(stack);
  try {
    return (await client.query<T>(statement, values)).rows;
  } finally {
    await client.end();
  }
}
