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
    const { rows } = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(hashtext(current_schema() || ${`.${task}`})) as mine`.execute(
      trx,
    );
    return rows[0]?.mine === true ? run(trx) : 0;
  });
}
