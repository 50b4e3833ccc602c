import type { Cleanup } from '@daylift/database/cleanup';
import { sql } from 'kysely';
import type { AccountsDatabase, Db, Trx } from '../database.ts';
import {
  forgottenAfterMs,
  guessesForgottenAfterMs,
  maxConcurrentTries,
  maxTryMs,
  narrowLimit,
} from './login-tries.ts';

/** Not the current time: of two concurrent first tries, the second may have read its clock first. */
const neverBlocked = new Date(0);

const isForgotten = (wall: Date) => sql<boolean>`login_tries.last_try_at < case
  when login_tries.failures < ${maxConcurrentTries} then ${new Date(wall.getTime() - forgottenAfterMs)}::timestamptz
  else ${new Date(wall.getTime() - guessesForgottenAfterMs)}::timestamptz end`;

/**
 * Admits a try before the password is verified, so concurrent tries count too. Returns 0, or the time to wait in ms.
 */
export async function admitTry(
  db: Db,
  key: string,
  wall: Date,
  { maxConcurrent } = narrowLimit,
): Promise<number> {
  const failures = sql`case when ${isForgotten(wall)} then 0 else login_tries.failures end`;
  const dead = new Date(wall.getTime() - maxTryMs);
  const admitted = await sql`
    insert into login_tries (key, failures, under_way, last_try_at, blocked_until)
    values (${key}, 0, 1, ${wall}, ${neverBlocked})
    on conflict (key) do update set
      failures = ${failures},
      under_way = case when login_tries.last_try_at < ${dead} then 1 else login_tries.under_way + 1 end,
      last_try_at = ${wall}
    where login_tries.blocked_until <= ${wall}
      and case when login_tries.last_try_at < ${dead} then 0 else login_tries.under_way end
        < greatest(1, ${maxConcurrent} - ${failures})
    returning key`.execute(db);
  if (admitted.rows.length > 0) return 0;
  const row = await db
    .selectFrom('login_tries')
    .select('blocked_until')
    .where('key', '=', key)
    .executeTakeFirst();
  return Math.max(1_000, (row?.blocked_until.getTime() ?? 0) - wall.getTime());
}

/** After a success: forgets earlier failures. */
export async function forgetTries(db: Db, key: string): Promise<void> {
  await db.deleteFrom('login_tries').where('key', '=', key).execute();
}

export async function forgetLoginTries(db: Db, logins: string[]): Promise<void> {
  if (logins.length === 0) return;
  await db
    .deleteFrom('login_tries')
    .where((where) =>
      where.or(
        logins.flatMap((login) => [where('key', '=', login), where('key', 'like', `${login}|%`)]),
      ),
    )
    .execute();
}

/** After a failure: counts it and sets the next wait. Returns the number of consecutive failures. */
export async function countFailure(
  trx: Trx,
  key: string,
  wall: Date,
  limit = narrowLimit,
): Promise<number> {
  const row = await trx
    .selectFrom('login_tries')
    .select('failures')
    .where('key', '=', key)
    .forUpdate()
    .executeTakeFirst();
  const failures = (row?.failures ?? 0) + 1;
  await trx
    .updateTable('login_tries')
    .set({
      failures,
      under_way: sql`greatest(under_way - 1, 0)`,
      blocked_until: new Date(wall.getTime() + limit.waitAfterMs(failures)),
    })
    .where('key', '=', key)
    .execute();
  return failures;
}

/** After neither: the password wasn't verified. */
export async function releaseTry(db: Db, key: string): Promise<void> {
  await db
    .updateTable('login_tries')
    .set({ under_way: sql`greatest(under_way - 1, 0)` })
    .where('key', '=', key)
    .execute();
}

/** Unknown logins would fill the table. */
export const forgottenTries: Cleanup<AccountsDatabase> = {
  table: 'login_tries',
  column: 'last_try_at',
  keptMs: forgottenAfterMs,
  only: (wall) => sql`blocked_until < ${wall} and ${isForgotten(wall)}`,
  onWallClock: true,
};
