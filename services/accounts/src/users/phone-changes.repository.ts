import type { Transaction } from 'kysely';
import type { AccountsDatabase } from '../database.ts';

/** How often this user has changed their number since then. */
export async function countPhoneChanges(
  trx: Transaction<AccountsDatabase>,
  userId: string,
  since: Date,
): Promise<number> {
  const { count } = await trx
    .selectFrom('phone_changes')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('changed_at', '>', since)
    .executeTakeFirstOrThrow();
  return count;
}

export async function insertPhoneChange(
  trx: Transaction<AccountsDatabase>,
  userId: string,
  now: Date,
): Promise<void> {
  await trx.insertInto('phone_changes').values({ user_id: userId, changed_at: now }).execute();
}
