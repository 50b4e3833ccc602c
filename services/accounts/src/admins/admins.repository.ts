import { randomUUID } from 'node:crypto';
import type { AdminRole } from '@daylift/contracts/fields';
import type { Kysely } from 'kysely';
import type { AccountsDatabase } from '../database.ts';
import type { Admin } from './admins.table.ts';

type Database = Kysely<AccountsDatabase>;

export function findAdmin(db: Database, id: string): Promise<Admin | undefined> {
  return db.selectFrom('admins').selectAll().where('id', '=', id).executeTakeFirst();
}

export function findAdminByUsername(db: Database, username: string): Promise<Admin | undefined> {
  return db.selectFrom('admins').selectAll().where('username', '=', username).executeTakeFirst();
}

export async function hasAdmins(db: Database): Promise<boolean> {
  const found = await db.selectFrom('admins').select('id').limit(1).executeTakeFirst();
  return found !== undefined;
}

/** Leaves an admin of that name as they are: of two processes that start at once, one makes them. */
export async function insertAdmin(
  db: Database,
  admin: { username: string; password_hash: string; role: AdminRole },
  now: Date,
): Promise<void> {
  await db
    .insertInto('admins')
    .values({ id: randomUUID(), created_at: now, ...admin })
    .onConflict((conflict) => conflict.column('username').doNothing())
    .execute();
}
