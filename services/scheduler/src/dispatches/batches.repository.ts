import type { Transaction } from 'kysely';
import type { SchedulerDatabase } from '../database.ts';
import type { Batch } from './dispatches.table.ts';

/** Returns the batch with this key, creating it if needed. */
export async function ensureBatch(
  trx: Transaction<SchedulerDatabase>,
  batch: Batch,
): Promise<Batch> {
  const made = await trx
    .insertInto('batches')
    .values(batch)
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returningAll()
    .executeTakeFirst();
  return made ?? (await findBatchByKey(trx, batch.key));
}

function findBatchByKey(trx: Transaction<SchedulerDatabase>, key: string): Promise<Batch> {
  return trx.selectFrom('batches').selectAll().where('key', '=', key).executeTakeFirstOrThrow();
}

export function findBatches(trx: Transaction<SchedulerDatabase>, ids: string[]): Promise<Batch[]> {
  return trx.selectFrom('batches').selectAll().where('id', 'in', ids).execute();
}
