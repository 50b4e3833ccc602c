import { readCounters } from '@daylift/database/counters';
import type { Kysely, Transaction } from 'kysely';
import type { AccountsDatabase } from '../database.ts';
import type { NewUser, User, UserChange } from './users.table.ts';

type Database = Kysely<AccountsDatabase>;
type Trx = Transaction<AccountsDatabase>;

export function insertUser(trx: Trx, user: NewUser): Promise<User> {
  return trx
    .insertInto('users')
    .values({ ...user, history_since: user.registered_at })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function findUser(db: Database, id: string): Promise<User | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Who these are; those who were deleted are missing. */
export function findPeople(
  db: Database,
  ids: string[],
): Promise<Pick<User, 'id' | 'name' | 'email' | 'phone'>[]> {
  return db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'phone'])
    .where('id', 'in', ids)
    .execute();
}

export function findUserByEmail(db: Database, email: string): Promise<User | undefined> {
  return db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();
}

export function findUserByPhone(db: Database, phone: string): Promise<User | undefined> {
  return db.selectFrom('users').selectAll().where('phone', '=', phone).executeTakeFirst();
}

export function findUserByRequestKey(db: Database, key: string): Promise<User | undefined> {
  return db.selectFrom('users').selectAll().where('request_key', '=', key).executeTakeFirst();
}

export async function existsUserWith(
  db: Database,
  identity: { email: string; phone: string },
): Promise<boolean> {
  const found = await db
    .selectFrom('users')
    .select('id')
    .where((where) =>
      where.or([where('email', '=', identity.email), where('phone', '=', identity.phone)]),
    )
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

export function lockUser(trx: Trx, id: string): Promise<User | undefined> {
  return trx.selectFrom('users').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export function updateUser(trx: Trx, id: string, change: UserChange): Promise<User> {
  return trx
    .updateTable('users')
    .set(change)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function countUsers(db: Database): Promise<{ total: number; active: number }> {
  const counts = await readCounters(db, 'users.');
  return { total: counts.get('users.total') ?? 0, active: counts.get('users.active') ?? 0 };
}
