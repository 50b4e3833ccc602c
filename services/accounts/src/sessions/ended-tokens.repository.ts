import type { Cleanup } from '@daylift/database/cleanup';
import type { Admin } from '../admins/admins.table.ts';
import type { AccountsDatabase, Db } from '../database.ts';

export async function insertEndedToken(db: Db, tokenId: string, expiresAt: Date): Promise<boolean> {
  const ended = await db
    .insertInto('ended_tokens')
    .values({ token_id: tokenId, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .returning('token_id')
    .executeTakeFirst();
  return ended !== undefined;
}

const endedToken = (db: Db, tokenId: string) =>
  db.selectFrom('ended_tokens').select('token_id').where('token_id', '=', tokenId);

interface Session {
  is_active: boolean;
  session_version: number;
  /** The account has only the initial password that staff were shown. */
  must_change_password: boolean;
  ended: boolean;
}

/** Reads what decides whether a user's token is valid, in one query, because every call needs it. */
export function findUserSession(
  db: Db,
  userId: string,
  tokenId: string,
): Promise<Session | undefined> {
  return db
    .selectFrom('users')
    .select(['is_active', 'session_version'])
    .select((select) =>
      select('password_expires_at', 'is not', null).$castTo<boolean>().as('must_change_password'),
    )
    .select((select) => select.exists(endedToken(db, tokenId)).$castTo<boolean>().as('ended'))
    .where('id', '=', userId)
    .executeTakeFirst();
}

export function findAdminSession(
  db: Db,
  adminId: string,
  tokenId: string,
): Promise<(Admin & { ended: boolean }) | undefined> {
  return db
    .selectFrom('admins')
    .selectAll()
    .select((select) => select.exists(endedToken(db, tokenId)).$castTo<boolean>().as('ended'))
    .where('id', '=', adminId)
    .executeTakeFirst();
}

/** On the wall clock, like tokens. */
export const expiredTokens: Cleanup<AccountsDatabase> = {
  table: 'ended_tokens',
  column: 'expires_at',
  keptMs: 0,
  onWallClock: true,
};
