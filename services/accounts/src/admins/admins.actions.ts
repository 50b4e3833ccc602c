import type {
  AdminAccount,
  AdminInvitation,
  ChangeAdminRequest,
  InviteAdminRequest,
} from '@daylift/contracts/admins.http';
import type { ActingAdmin } from '@daylift/server/acting-admin';
import { Forbidden, NotFound } from '@daylift/server/error';
import { byAdmin, recordAudit } from '../audit-log/audit.ts';
import type { Trx } from '../database.ts';
import type { AccountsDeps } from '../deps.ts';
import { AdminDeactivated, CannotChangeSelf, LastOwner, UsernameTaken } from '../errors.ts';
import { forgetTries } from '../login-tries/login-tries.repository.ts';
import { totpTriesOf } from '../login-tries/try-password.ts';
import { canonicalEmail } from '../users/email-address.ts';
import {
  deleteInvitation,
  deleteRecoveryCodes,
  insertAdmin,
  lockWithOwners,
  updateAdmin,
  withoutTotpSetup,
} from './admins.repository.ts';
import type { Admin } from './admins.table.ts';
import { invite } from './invitations.ts';

export function accountOf(admin: Admin): AdminAccount {
  const { id, username, email, role, totp_enabled } = admin;
  const joined = admin.password_hash === null ? 'invited' : 'active';
  return {
    id,
    username,
    email,
    role,
    state: admin.is_active ? joined : 'deactivated',
    totp_enabled,
    last_login_at: admin.last_login_at?.toISOString() ?? null,
    created_at: admin.created_at.toISOString(),
  };
}

export function inviteAdmin(
  deps: AccountsDeps,
  { username, role, ...request }: InviteAdminRequest,
  by: ActingAdmin,
): Promise<AdminInvitation> {
  const now = deps.clock.now();
  const email = canonicalEmail(request.email);
  return deps.db.transaction().execute(async (trx) => {
    const admin = await insertAdmin(trx, { username, email, role, password_hash: null }, now);
    if (admin === undefined) throw new UsernameTaken();
    const invitation = await invite(trx, deps, admin);
    const adminAction = { action: 'admin.invited', target: admin.id, details: { username, role } };
    await recordAudit(trx, now, { ...byAdmin(by), ...adminAction });
    return { admin: accountOf(admin), ...invitation };
  });
}

/** Locks another admin's row. No one may change their own, because a last owner couldn't be restored. */
async function lockOther(trx: Trx, id: string, by: ActingAdmin): Promise<Admin> {
  const { admin, owners } = await lockWithOwners(trx, id);
  if (admin === undefined) throw new NotFound('Admin not found.');
  if (admin.id === by.admin_id) throw owners.length > 1 ? new CannotChangeSelf() : new LastOwner();
  // Of two owners who demote each other concurrently, the second is no longer an owner.
  if (!owners.some((one) => one.id === by.admin_id)) throw new Forbidden();
  return admin;
}

export function changeAdmin(
  deps: AccountsDeps,
  id: string,
  { role, is_active }: ChangeAdminRequest,
  by: ActingAdmin,
): Promise<AdminAccount> {
  const now = deps.clock.now();
  return deps.db.transaction().execute(async (trx) => {
    const before = await lockOther(trx, id, by);
    const change = { role: role ?? before.role, is_active: is_active ?? before.is_active };
    if (change.role === before.role && change.is_active === before.is_active)
      return accountOf(before);
    const session_version = before.session_version + 1;
    const admin = await updateAdmin(trx, id, { ...change, session_version });
    if (!admin.is_active) await deleteInvitation(trx, id);
    const adminAction = { ...byAdmin(by), target: id };
    if (admin.role !== before.role) {
      const details = { from: before.role, to: admin.role };
      await recordAudit(trx, now, { ...adminAction, action: 'admin.role_changed', details });
    }
    if (admin.is_active !== before.is_active) {
      const action = admin.is_active ? 'admin.activated' : 'admin.deactivated';
      await recordAudit(trx, now, { ...adminAction, action });
    }
    return accountOf(admin);
  });
}

/** Removes the password and sends a new invitation, also for one that expired or was lost. */
export function inviteAgain(
  deps: AccountsDeps,
  id: string,
  by: ActingAdmin,
): Promise<AdminInvitation> {
  const now = deps.clock.now();
  return deps.db.transaction().execute(async (trx) => {
    const before = await lockOther(trx, id, by);
    if (!before.is_active) throw new AdminDeactivated();
    const session_version = before.session_version + 1;
    const change = { password_hash: null, session_version, ...withoutTotpSetup(before) };
    const admin = await updateAdmin(trx, id, change);
    const invitation = await invite(trx, deps, admin);
    const adminAction = { ...byAdmin(by), action: 'admin.password_reset', target: id };
    await recordAudit(trx, now, adminAction);
    return { admin: accountOf(admin), ...invitation };
  });
}

/** For an admin who has lost the phone and the recovery codes. */
export function removeTotp(deps: AccountsDeps, id: string, by: ActingAdmin): Promise<AdminAccount> {
  return deps.db.transaction().execute(async (trx) => {
    const before = await lockOther(trx, id, by);
    if (!before.totp_enabled) return accountOf(before);
    await deleteRecoveryCodes(trx, id);
    await forgetTries(trx, totpTriesOf(before));
    const session_version = before.session_version + 1;
    const none = { totp_enabled: false, totp_secret: null, totp_begun_at: null };
    const admin = await updateAdmin(trx, id, { ...none, session_version });
    const adminAction = { ...byAdmin(by), action: 'admin.totp_removed', target: id };
    await recordAudit(trx, deps.clock.now(), adminAction);
    return accountOf(admin);
  });
}
