import { deleteRecoveryCodes } from '../admins/admins.repository.ts';
import type { Db, Trx } from '../database.ts';

/** Returns whether this step is later than the last used one: of two sign-ins with one code, one succeeds. */
export async function useStep(trx: Trx, adminId: string, step: number): Promise<boolean> {
  const used = await trx
    .updateTable('admins')
    .set({ totp_last_step: step })
    .where('id', '=', adminId)
    .where((where) =>
      where.or([where('totp_last_step', 'is', null), where('totp_last_step', '<', step)]),
    )
    .returning('id')
    .executeTakeFirst();
  return used !== undefined;
}

export async function useRecoveryCode(
  trx: Trx,
  adminId: string,
  code_hash: Buffer,
): Promise<boolean> {
  const used = await trx
    .deleteFrom('admin_recovery_codes')
    .where('admin_id', '=', adminId)
    .where('code_hash', '=', code_hash)
    .returning('admin_id')
    .executeTakeFirst();
  return used !== undefined;
}

export async function replaceRecoveryCodes(
  trx: Trx,
  adminId: string,
  hashes: Buffer[],
): Promise<void> {
  await deleteRecoveryCodes(trx, adminId);
  await trx
    .insertInto('admin_recovery_codes')
    .values(hashes.map((code_hash) => ({ admin_id: adminId, code_hash })))
    .execute();
}

export async function countRecoveryCodes(db: Db, adminId: string): Promise<number> {
  const { count } = await db
    .selectFrom('admin_recovery_codes')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('admin_id', '=', adminId)
    .executeTakeFirstOrThrow();
  return count;
}
