import { sql, type Transaction } from 'kysely';

/** Runs statements in a savepoint, and rolls them back unless they're to be kept. */
export async function inSavepoint<T>(
  trx: Transaction<T>,
  { keep }: { keep: boolean },
  run: () => Promise<void>,
): Promise<void> {
  await sql`savepoint part`.execute(trx);
  await run();
  const end = keep ? sql`release savepoint part` : sql`rollback to savepoint part`;
  await end.execute(trx);
}
