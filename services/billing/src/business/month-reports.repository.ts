import type { Trx } from '../database.ts';

export async function hasMonthReports(trx: Trx): Promise<boolean> {
  const row = await trx.selectFrom('month_reports').select('month').limit(1).executeTakeFirst();
  return row !== undefined;
}

/** Returns false if the month's figures were already published. */
export async function addMonthReport(trx: Trx, month: string, now: Date): Promise<boolean> {
  const added = await trx
    .insertInto('month_reports')
    .values({ month, published_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('month')
    .executeTakeFirst();
  return added !== undefined;
}
