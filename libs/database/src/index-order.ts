import { type Kysely, sql, type Transaction } from 'kysely';

/**
 * Reads the first rows of a partitioned table in the order of an index without reading the others. By the statistics of an
 * hour in which nothing waits, the planner takes the waiting rows for one or none: it would gather and sort all of them
 * each time, although a million may have come since.
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
