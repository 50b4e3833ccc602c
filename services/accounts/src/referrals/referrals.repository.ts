import type { Transaction } from 'kysely';
import type { AccountsDatabase } from '../database.ts';

/** Whose code this is. Held until the signup is through, so that they do not delete their account meanwhile. */
export async function findReferrer(
  trx: Transaction<AccountsDatabase>,
  code: string,
): Promise<string | null> {
  const found = await trx
    .selectFrom('users')
    .select('id')
    .where('referral_code', '=', code)
    .forKeyShare()
    .executeTakeFirst();
  return found?.id ?? null;
}

/** How many friends count for somebody now; an older count that comes later changes nothing. */
export async function storeReferralCount(
  trx: Transaction<AccountsDatabase>,
  referrals: { user_id: string; version: number; successful: number },
): Promise<void> {
  await trx
    .updateTable('users')
    .set({ referral_count: referrals.successful, referrals_version: referrals.version })
    .where('id', '=', referrals.user_id)
    .where('referrals_version', '<', referrals.version)
    .execute();
}
