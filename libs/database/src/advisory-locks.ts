import { type Kysely, sql, type Transaction } from 'kysely';

/** Waits for other transactions with the same key, and holds it until this one ends. */
export async function lockKey<T>(trx: Transaction<T>, key: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(trx);
}

/** Runs a task in one process of the service at a time. Returns 0 while another process runs it. */
export function runAlone<T>(
  db: Kysely<T>,
  task: string,
  run: (trx: Transaction<T>) => Promise<number>,
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ acquired: boolean }>`
      select pg_try_advisory_xact_lock(hashtext(current_schema() || ${`.${task}`})) as acquired`.execute(
      trx,
    );
    return rows[0]?.acquired === true ? run(trx) : 0;
  });
}

/**
 * Folds the rows of a table of changes, in one process at a time. While it's empty, that costs one query instead of a
 * transaction.
 */
export async function foldAlone<T>(
  db: Kysely<T>,
  { task, changes }: { task: string; changes: string },
  fold: (trx: Transaction<T>) => Promise<number>,
): Promise<number> {
  // In this order, because the index skips deleted rows that vacuum has yet to remove.
  const { rows } = await sql`
    select position from ${sql.table(changes)} order by position limit 1`.execute(db);
  return rows.length === 0 ? 0 : runAlone(db, task, fold);
}
