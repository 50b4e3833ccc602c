import type { Db, Trx } from '../database.ts';

/** Returns the code's owner, locked until the signup commits, so the account can't be deleted meanwhile. */
export async function findReferrer(trx: Trx, code: string): Promise<string | null> {
  const found = await trx
    .selectFrom('users')
    .select('id')
    .where('referral_code', '=', code)
    .forKeyShare()
    .executeTakeFirst();
  return found?.id ?? null;
}

export async function isKnownCode(db: Db, code: string): Promise<boolean> {
  const found = await db
    .selectFrom('users')
    .select('id')
    .where('referral_code', '=', code)
    .executeTakeFirst();
  return found !== undefined;
}

/** Stores the number of counted friends; an older version changes nothing. */
export async function storeReferralCount(
  trx: Trx,
  referrals: { user_id: string; version: number; successful: number },
): Promise<void> {
  await trx
    .updateTable('users')
    .set({ referral_count: referrals.successful, referrals_version: referrals.version })
    .where('id', '=', referrals.user_id)
    .where('referrals_version', '<', referrals.version)
    .execute();
}
