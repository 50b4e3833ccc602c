import type { Transaction } from 'kysely';
import type { SchedulerDatabase } from '../database.ts';
import type { Batch, NewBatch } from './dispatches.table.ts';

/** Counting stops here: larger batches have no more first texts. */
export const countedUpTo = 2_500;

/** Returns the batch with this key, creating it if needed. `countExpected` counts its texts, up to `countedUpTo`. */
export async function ensureBatch(
  trx: Transaction<SchedulerDatabase>,
  batch: NewBatch,
  countExpected: () => Promise<number>,
): Promise<Batch> {
  const find = () =>
    trx.selectFrom('batches').selectAll().where('key', '=', batch.key).executeTakeFirst();
  const known = await find();
  if (known !== undefined) return known;
  const created = await trx
    .insertInto('batches')
    .values({ ...batch, expected: await countExpected() })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returningAll()
    .executeTakeFirst();
  return created ?? (await find())!;
}

export function findBatches(trx: Transaction<SchedulerDatabase>, ids: string[]): Promise<Batch[]> {
  return trx.selectFrom('batches').selectAll().where('id', 'in', ids).execute();
}
