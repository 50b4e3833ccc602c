import { sql } from 'kysely';
import type { Trx } from '../database.ts';
import type { User } from '../users/users.table.ts';

/** Extends an unpaid and unproven signup, up to a time since its registration. */
export async function extendSignup(
  trx: Trx,
  userId: string,
  { end, maxMs }: { end: Date; maxMs: number },
): Promise<void> {
  const maxLifetime = sql`${maxMs} * interval '1 millisecond'`;
  await trx
    .updateTable('users')
    .set({ expires_at: sql`greatest(expires_at, least(${end}, registered_at + ${maxLifetime}))` })
    .where('id', '=', userId)
    .where('expires_at', 'is not', null)
    .execute();
}

/** Skips signups that another transaction has locked. */
export function lockExpiredSignups(trx: Trx, now: Date, limit: number): Promise<User[]> {
  return trx
    .selectFrom('users')
    .selectAll()
    .where('expires_at', '<=', now)
    .where('subscription_version', '=', 0)
    .orderBy('expires_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
}
