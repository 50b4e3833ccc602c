import type { Db, Trx } from '../database.ts';

/** Returns false if the user already used this card. */
export async function rememberCard(
  trx: Trx,
  userId: string,
  fingerprint: string,
  now: Date,
): Promise<boolean> {
  const fresh = await trx
    .insertInto('cards')
    .values({ user_id: userId, fingerprint, seen_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst();
  return fresh !== undefined;
}

export async function wasSeenWith(
  db: Db,
  userId: string,
  fingerprint: string,
  until: Date,
): Promise<boolean> {
  const card = await db
    .selectFrom('cards')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('fingerprint', '=', fingerprint)
    .where('seen_at', '<=', until)
    .executeTakeFirst();
  return card !== undefined;
}
