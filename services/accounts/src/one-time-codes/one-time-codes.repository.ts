import { dayMs } from '@daylift/clock/durations';
import type { Cleanup } from '@daylift/database/cleanup';
import { type Insertable, sql } from 'kysely';
import type { AccountsDatabase, Db, Trx } from '../database.ts';
import type { CodeRequestsTable, OneTimeCode, OneTimeCodesTable } from './one-time-codes.table.ts';

export async function insertCodeRequest(db: Db, request: CodeRequestsTable): Promise<void> {
  await db.insertInto('code_asks').values(request).execute();
}

export function takeCodeRequests(
  trx: Trx,
  atMost: number,
): Promise<Pick<CodeRequestsTable, 'user_id' | 'from_known'>[]> {
  return trx
    .deleteFrom('code_asks')
    .where('id', 'in', (query) =>
      query
        .selectFrom('code_asks')
        .select('id')
        .orderBy('asked_at')
        .limit(atMost)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['user_id', 'from_known'])
    .execute();
}

/** Counts a user's codes since an instant and returns the newest one's time, for known clients or for strangers. */
export function countCodes(
  trx: Trx,
  userId: string,
  since: Date,
  fromKnown: boolean,
): Promise<{ count: number; newest: Date | null }> {
  return trx
    .selectFrom('one_time_codes')
    .select((select) => [
      select.fn.countAll<number>().as('count'),
      select.fn.max<Date | null>('requested_at').as('newest'),
    ])
    .where('user_id', '=', userId)
    .where('requested_at', '>', since)
    .where('from_known', '=', fromKnown)
    .executeTakeFirstOrThrow();
}

export async function replaceOpenCode(
  trx: Trx,
  code: Insertable<OneTimeCodesTable>,
  now: Date,
): Promise<void> {
  await trx
    .updateTable('one_time_codes')
    .set({ closed_at: now })
    .where('user_id', '=', code.user_id)
    .where('purpose', '=', code.purpose)
    .where('closed_at', 'is', null)
    .execute();
  await trx.insertInto('one_time_codes').values(code).execute();
}

export function lockOpenCode(
  trx: Trx,
  userId: string,
  purpose: OneTimeCode['purpose'],
): Promise<OneTimeCode | undefined> {
  return trx
    .selectFrom('one_time_codes')
    .selectAll()
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .where('closed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

export async function countWrongCode(
  trx: Trx,
  requestId: string,
  fromKnown: boolean,
): Promise<void> {
  const column = fromKnown ? 'known_tries_left' : 'tries_left';
  await trx
    .updateTable('one_time_codes')
    .set({ [column]: sql`greatest(${sql.ref(column)} - 1, 0)` })
    .where('request_id', '=', requestId)
    .execute();
}

/** Closes the code and returns it, or undefined if it was already used. */
export function closeCode(
  trx: Trx,
  requestId: string,
  now: Date,
): Promise<OneTimeCode | undefined> {
  return trx
    .updateTable('one_time_codes')
    .set({ closed_at: now })
    .where('request_id', '=', requestId)
    .where('closed_at', 'is', null)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst();
}

/** Records that the code goes by email, because it could not be texted. */
export async function sendByMail(trx: Trx, requestId: string, address_hash: string): Promise<void> {
  await trx
    .updateTable('one_time_codes')
    .set({ channel: 'mail', address_hash })
    .where('request_id', '=', requestId)
    .execute();
}

/** Codes older than a day don't count toward any limit. */
export const oldCodes: Cleanup<AccountsDatabase> = {
  table: 'one_time_codes',
  column: 'requested_at',
  keptMs: dayMs,
  onWallClock: true,
};
