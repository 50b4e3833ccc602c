import { sql } from 'kysely';
import type { Admin } from '../admins/admins.table.ts';
import type { Db } from '../database.ts';
import type { User } from '../users/users.table.ts';
import { isKnownClient } from './known-clients.repository.ts';
import type { Login } from './read-login.ts';

export type Claim<Account> = Account & { is_known_client: boolean };

/** Enough for a person's own accounts. A sign-in verifies this many hashes, whether there are so many claims or not. */
export const maxClaims = 3;

/**
 * Returns the best claims on a login: first accounts that this client is known to, then the proven one, then paid ones,
 * then the newest. Strangers who sign up elsewhere can't crowd an account out at its own network.
 */
export function findClaims(
  db: Db,
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
    .limit(maxClaims)
    .execute();
}

export function findAdminClaims(
  db: Db,
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
 * Returns the account that a code for a login goes to: the proven one, else the one known at this client, else the only
 * paid one. Among several strangers' claims there is none, or the code would open someone else's account.
 */
export async function findRecoverable(
  db: Db,
  login: Login,
  clientHash: string,
): Promise<Claim<User> | undefined> {
  const claims = await findClaims(db, login, clientHash);
  const proven = claims.find((claim) => claim[`${login.kind}_proven_at`] !== null);
  const known = proven ?? claims.find((claim) => claim.is_known_client);
  const paid = claims.filter((claim) => claim.subscription_version > 0);
  return known ?? (paid.length > 0 ? onlyOne(paid) : onlyOne(claims));
}

const onlyOne = <T>(items: T[]): T | undefined => (items.length === 1 ? items[0] : undefined);

/**
 * Returns the accounts of a login that a recovery code is open for: it may be typed at another client. The daily codes of
 * an address bound their number, so no claim crowds another out.
 */
export function findRecovering(
  db: Db,
  { kind, value }: Login,
  clientHash: string,
): Promise<Claim<User>[]> {
  return db
    .selectFrom('users')
    .innerJoin('one_time_codes as code', 'code.user_id', 'users.id')
    .selectAll('users')
    .select(isKnownClient(db, 'users.id', clientHash).as('is_known_client'))
    .where(`users.${kind}`, '=', value)
    .where('code.purpose', '=', 'recover')
    .where('code.closed_at', 'is', null)
    .orderBy('code.requested_at', 'desc')
    .execute();
}
