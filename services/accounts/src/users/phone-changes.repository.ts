import type { Trx } from '../database.ts';

export async function countPhoneChanges(
  trx: Trx,
  userId: string,
  since: Date,
  until: Date,
): Promise<number> {
  const { count } = await trx
    .selectFrom('phone_changes')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('changed_at', '>', since)
    .where('changed_at', '<=', until)
    .executeTakeFirstOrThrow();
  return count;
}

export async function insertPhoneChange(trx: Trx, userId: string, now: Date): Promise<void> {
  await trx.insertInto('phone_changes').values({ user_id: userId, changed_at: now }).execute();
}
