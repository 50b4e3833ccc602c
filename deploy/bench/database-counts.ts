import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { databaseName } from '../local/databases.ts';

export interface DatabaseCounts {
  transactions: number;
  rowWrites: number;
}

/** A backend reports its counts at most once a second. */
const REPORT_MS = 1_100;

export async function connectAsAdmin(databaseAdminUrl: string): Promise<pg.Client> {
  const url = new URL(databaseAdminUrl);
  url.pathname = `/${databaseName}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  return client;
}

export async function readCounts(client: pg.Client): Promise<DatabaseCounts> {
  await delay(REPORT_MS);
  const { rows } = await client.query<{ transactions: string; writes: string }>(
    `select (select xact_commit + xact_rollback from pg_stat_database where datname = current_database()) as transactions,
      (select sum(n_tup_ins + n_tup_upd + n_tup_del) from pg_stat_user_tables) as writes`,
  );
  return { transactions: Number(rows[0]?.transactions), rowWrites: Number(rows[0]?.writes) };
}
