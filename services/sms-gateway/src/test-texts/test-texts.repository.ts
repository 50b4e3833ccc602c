import { dayMs } from '@daylift/clock/durations';
import type { Cleanup } from '@daylift/database/cleanup';
import type { Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import type { TestTextsTable } from './test-texts.table.ts';

/** Returns false if this request was already handled. */
export async function insertTestText(
  trx: Transaction<SmsDatabase>,
  row: TestTextsTable,
): Promise<boolean> {
  const inserted = await trx
    .insertInto('test_texts')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function countTestTexts(
  trx: Transaction<SmsDatabase>,
  adminId: string,
  since: Date,
): Promise<number> {
  const row = await trx
    .selectFrom('test_texts')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('admin_id', '=', adminId)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow();
  return row.count;
}

/** Kept long after the limit's hour, for repeated requests. */
export const oldTestTexts: Cleanup<SmsDatabase> = {
  table: 'test_texts',
  column: 'created_at',
  keptMs: 7 * dayMs,
};
