import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { databaseName } from '../local/databases.ts';

export interface DatabaseCounts {
  transactions: number;
  rowWrites: number;
  updates: number;
  /** Updates that changed no index (HOT). */
  hotUpdates: number;
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
  const { rows } = await client.query<Record<string, string>>(
    `select (select xact_commit + xact_rollback from pg_stat_database where datname = current_database()) as transactions,
      sum(n_tup_ins + n_tup_upd + n_tup_del) as writes, sum(n_tup_upd) as updates, sum(n_tup_hot_upd) as hot
      from pg_stat_user_tables`,
  );
  const { transactions, writes, updates, hot } = rows[0] ?? {};
  return {
    transactions: Number(transactions),
    rowWrites: Number(writes),
    updates: Number(updates),
    hotUpdates: Number(hot),
  };
}
