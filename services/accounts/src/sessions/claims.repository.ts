import { type Kysely, sql } from 'kysely';
import type { Admin } from '../admins/admins.table.ts';
import type { AccountsDatabase } from '../database.ts';
import type { User } from '../users/users.table.ts';
import { isKnownClient } from './known-clients.repository.ts';
import type { Login } from './read-login.ts';

type Database = Kysely<AccountsDatabase>;

/** An account that a sign-in may be for. */
export type Claim<Account> = Account & { is_known_client: boolean };

/** Enough for a person's own accounts. A sign-in verifies this many hashes, whether there are so many claims or not. */
export const mostClaims = 3;

/**
 * Returns the best claims on a login: first accounts that this client is known to, then the proven one, then paid ones,
 * then the newest. Strangers who sign up elsewhere can't crowd an account out at its own network.
 */
export function findClaims(
  db: Database,
  { kind, value }: Login,
  clientHash: string,
): Promise<Claim<User>[]> {
  return db
    .selectFrom('users')
    .selectAll()
    .select(isKnownClient(db, 'users.id', clientHash).as('is_known_client'))
    .where(kind, '=', value)
    .orderBy('is_known_client', 'desc')
    .orderBy(sql`${sql.ref(`${kind}_proven_at`)} is null`)
    .orderBy(sql`subscription_version = 0`)
    .orderBy('registered_at', 'desc')
    .orderBy('id')
    .limit(mostClaims)
    .execute();
}

export function findAdminClaims(
  db: Database,
  username: string,
  clientHash: string,
): Promise<Claim<Admin>[]> {
  return db
    .selectFrom('admins')
    .selectAll()
    .select(isKnownClient(db, 'admins.id', clientHash).as('is_known_client'))
    .where('username', '=', username)
    .execute();
}

/**
 * Returns the account that a code for a login goes to: the proven one, or else the oldest paid one. It is the same from
 * every client, because a code may be typed elsewhere than it was requested.
 */
export function findRecoverable(db: Database, { kind, value }: Login): Promise<User | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .where(kind, '=', value)
    .orderBy(sql`${sql.ref(`${kind}_proven_at`)} is null`)
    .orderBy(sql`subscription_version = 0`)
    .orderBy('registered_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}
