import { randomUUID } from 'node:crypto';
import type { AdminRole } from '@daylift/contracts/fields';
import type { Db, Trx } from '../database.ts';
import type { Admin, AdminChange, AdminInvitationsTable } from './admins.table.ts';

export function findAdmin(db: Db, id: string): Promise<Admin | undefined> {
  return db.selectFrom('admins').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function hasAdmins(db: Db): Promise<boolean> {
  const found = await db.selectFrom('admins').select('id').limit(1).executeTakeFirst();
  return found !== undefined;
}

export function listAdmins(db: Db): Promise<Admin[]> {
  return db.selectFrom('admins').selectAll().orderBy('username').execute();
}

/** Returns undefined if the username is taken. */
export function insertAdmin(
  db: Db,
  admin: {
    username: string;
    password_hash: string | null;
    role: AdminRole;
    email?: string;
  },
  now: Date,
): Promise<Admin | undefined> {
  return db
    .insertInto('admins')
    .values({ id: randomUUID(), created_at: now, ...admin })
    .onConflict((conflict) => conflict.column('username').doNothing())
    .returningAll()
    .executeTakeFirst();
}

export function lockAdmin(trx: Trx, id: string): Promise<Admin | undefined> {
  return trx.selectFrom('admins').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/** Locks all other active owners in a fixed order, so two who change each other run one after the other. */
export async function lockWithOwners(
  trx: Trx,
  id: string,
): Promise<{ admin: Admin | undefined; owners: Admin[] }> {
  const rows = await trx
    .selectFrom('admins')
    .selectAll()
    .where((where) =>
      where.or([
        where('id', '=', id),
        where.and([where('role', '=', 'owner'), where('is_active', '=', true)]),
      ]),
    )
    .orderBy('id')
    .forUpdate()
    .execute();
  return {
    admin: rows.find((one) => one.id === id),
    owners: rows.filter((one) => one.role === 'owner' && one.is_active),
  };
}

export function updateAdmin(trx: Trx, id: string, change: AdminChange): Promise<Admin> {
  return trx
    .updateTable('admins')
    .set(change)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Someone with the old password may know the secret of an unfinished setup of two-factor authentication. */
export const withoutTotpSetup = ({ totp_enabled }: Admin): AdminChange =>
  totp_enabled ? {} : { totp_secret: null, totp_begun_at: null };

export async function replaceInvitation(
  trx: Trx,
  invitation: AdminInvitationsTable,
): Promise<void> {
  await deleteInvitation(trx, invitation.admin_id);
  await trx.insertInto('admin_invitations').values(invitation).execute();
}

export async function deleteInvitation(trx: Trx, adminId: string): Promise<void> {
  await trx.deleteFrom('admin_invitations').where('admin_id', '=', adminId).execute();
}

export function takeInvitation(
  trx: Trx,
  token_hash: Buffer,
  now: Date,
): Promise<{ admin_id: string } | undefined> {
  return trx
    .deleteFrom('admin_invitations')
    .where('token_hash', '=', token_hash)
    .where('expires_at', '>', now)
    .returning('admin_id')
    .executeTakeFirst();
}

/** Excludes invited owners: their addresses aren't confirmed yet. */
export async function findOwnerEmails(db: Db): Promise<string[]> {
  const owners = await db
    .selectFrom('admins')
    .select('email')
    .where('role', '=', 'owner')
    .where('is_active', '=', true)
    .where('password_hash', 'is not', null)
    .where('email', 'is not', null)
    .execute();
  return owners.flatMap(({ email }) => email ?? []);
}

export async function findAdminEmails(db: Db): Promise<string[]> {
  const admins = await db
    .selectFrom('admins')
    .select('email')
    .where('email', 'is not', null)
    .execute();
  return admins.flatMap(({ email }) => email ?? []);
}

export async function deleteRecoveryCodes(trx: Trx, adminId: string): Promise<void> {
  await trx.deleteFrom('admin_recovery_codes').where('admin_id', '=', adminId).execute();
}
