import type { Insertable, Kysely, Selectable, Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import type { StaffOptOutsTable } from './staff-opt-outs.table.ts';

export async function insertStaffOptOut(
  trx: Transaction<SmsDatabase>,
  row: Insertable<StaffOptOutsTable>,
): Promise<void> {
  await trx.insertInto('staff_opt_outs').values(row).execute();
}

export function findStaffOptOut(
  db: Kysely<SmsDatabase>,
  userId: string,
): Promise<Selectable<StaffOptOutsTable> | undefined> {
  return db
    .selectFrom('staff_opt_outs')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('opted_out_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export async function eraseStaffOptOuts(
  trx: Transaction<SmsDatabase>,
  userId: string,
): Promise<void> {
  await trx.deleteFrom('staff_opt_outs').where('user_id', '=', userId).execute();
}
