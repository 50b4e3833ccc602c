import { type Kysely, sql, type Transaction } from 'kysely';

/**
 * Reads the first rows of a partitioned table in index order without reading the rest. With the statistics of a quiet
 * hour the planner expects one waiting row or none, and would collect and sort all of them each time, even if a
 * million have arrived since.
 */
export async function inIndexOrder<DB, T>(
  db: Kysely<DB>,
  read: (trx: Transaction<DB>) => Promise<T>,
): Promise<T> {
  if (!db.isTransaction) return db.transaction().execute((trx) => inIndexOrder(trx, read));
  await sql`set local enable_sort to off`.execute(db);
  const result = await read(db as Transaction<DB>);
  await sql`set local enable_sort to default`.execute(db);
  return result;
}
