import { minuteMs } from '@daylift/clock/durations';
import type {
  AdminMe,
  ChangeAdminPasswordRequest,
  RecoveryCodes,
  TotpBegun,
  TotpDisableRequest,
} from '@daylift/contracts/admins.http';
import type { ActingAdmin } from '@daylift/server/acting-admin';
import { Unauthorized } from '@daylift/server/error';
import {
  deleteRecoveryCodes,
  findAdmin,
  lockAdmin,
  updateAdmin,
  withoutTotpSetup,
} from '../admins/admins.repository.ts';
import type { Admin } from '../admins/admins.table.ts';
import { byAdmin, recordAudit } from '../audit-log/audit.ts';
import type { Trx } from '../database.ts';
import type { SessionDeps } from '../deps.ts';
import {
  CurrentPasswordWrong,
  TotpCodeWrong,
  TotpOff,
  TotpOn,
  TotpSetupNotStarted,
} from '../errors.ts';
import { adminTriesOf, tryPassword } from '../login-tries/try-password.ts';
import { checkTotp } from '../totp/check-totp.ts';
import { newRecoveryCodes, plainCode } from '../totp/recovery-codes.ts';
import { countRecoveryCodes, replaceRecoveryCodes } from '../totp/totp.repository.ts';
import { newSecret, otpauthUrl } from '../totp/totp.ts';

/** How long an unconfirmed secret stays valid. */
const setupValidMs = 15 * minuteMs;

async function findSelf(deps: SessionDeps, by: ActingAdmin): Promise<Admin> {
  const admin = await findAdmin(deps.db, by.admin_id);
  if (admin === undefined) throw new Unauthorized();
  return admin;
}

/** Locks the admin. Fails if access or role changed since the request. */
async function lockSelf(trx: Trx, known: Admin): Promise<Admin> {
  const admin = await lockAdmin(trx, known.id);
  if (admin?.session_version !== known.session_version) throw new Unauthorized();
  return admin;
}

export async function readSelf(deps: SessionDeps, by: ActingAdmin): Promise<AdminMe> {
  const { id, username, role, email, totp_enabled } = await findSelf(deps, by);
  return {
    id,
    username,
    role,
    email,
    totp_enabled,
    totp_required: deps.totpRequired,
    recovery_codes_left: await countRecoveryCodes(deps.db, id),
    timezone: deps.operatorTimeZone,
    now: deps.clock.now().toISOString(),
  };
}

async function checkPassword(deps: SessionDeps, admin: Admin, password: string): Promise<void> {
  if (!(await tryPassword(deps, adminTriesOf(admin), password, admin.password_hash)))
    throw new CurrentPasswordWrong();
}

/** Returns a new token, because all earlier ones end. */
export async function changeOwnPassword(
  deps: SessionDeps,
  request: ChangeAdminPasswordRequest,
  by: ActingAdmin,
): Promise<{ admin: Admin; token: string }> {
  const known = await findSelf(deps, by);
  await checkPassword(deps, known, request.old_password);
  const password_hash = await deps.hashing.hash(request.new_password);
  const admin = await deps.db.transaction().execute(async (trx) => {
    const before = await lockSelf(trx, known);
    const session_version = before.session_version + 1;
    const change = { password_hash, session_version, ...withoutTotpSetup(before) };
    const changed = await updateAdmin(trx, before.id, change);
    const adminAction = { ...byAdmin(by), action: 'admin.password_changed', target: before.id };
    await recordAudit(trx, deps.clock.now(), adminAction);
    return changed;
  });
  return { admin, token: deps.tokens.forAdmin(admin.id, admin.session_version) };
}

/**
 * Returns the secret for an authenticator app, the same one if setup has already started. A stolen session alone
 * can't add its own app.
 */
export async function beginTotpSetup(
  deps: SessionDeps,
  password: string,
  by: ActingAdmin,
): Promise<TotpBegun> {
  const known = await findSelf(deps, by);
  if (known.totp_enabled) throw new TotpOn();
  await checkPassword(deps, known, password);
  return deps.db.transaction().execute(async (trx) => {
    const admin = await lockSelf(trx, known);
    if (admin.totp_enabled) throw new TotpOn();
    const secret = pendingSecret(deps, admin) ?? newSecret();
    await updateAdmin(trx, admin.id, {
      totp_secret: deps.adminSecrets.seal(admin.id, secret),
      totp_begun_at: new Date(),
    });
    return { secret, otpauth_url: otpauthUrl(secret, deps.product.name, admin.username) };
  });
}

function pendingSecret(deps: SessionDeps, admin: Admin): string | null {
  const startedAt = admin.totp_begun_at?.getTime() ?? 0;
  if (admin.totp_secret === null || Date.now() - startedAt > setupValidMs) return null;
  return deps.adminSecrets.open(admin.id, admin.totp_secret);
}

export async function confirmTotpSetup(
  deps: SessionDeps,
  code: string,
  by: ActingAdmin,
): Promise<RecoveryCodes> {
  const admin = await findSelf(deps, by);
  if (admin.totp_enabled) throw new TotpOn();
  if (pendingSecret(deps, admin) === null) throw new TotpSetupNotStarted();
  if ((await checkTotp(deps, admin, code)) === null) throw new TotpCodeWrong();
  const recovery_codes = newRecoveryCodes();
  await deps.db.transaction().execute(async (trx) => {
    const { id, totp_enabled, totp_secret } = await lockSelf(trx, admin);
    if (totp_enabled) throw new TotpOn();
    if (totp_secret !== admin.totp_secret) throw new TotpSetupNotStarted();
    const hashes = recovery_codes.map((one) => deps.adminSecrets.hash(plainCode(one)));
    await replaceRecoveryCodes(trx, id, hashes);
    await updateAdmin(trx, id, { totp_enabled: true, totp_begun_at: null });
    const adminAction = { ...byAdmin(by), action: 'admin.totp_enabled', target: id };
    await recordAudit(trx, deps.clock.now(), adminAction);
  });
  return { recovery_codes };
}

export async function disableTotp(
  deps: SessionDeps,
  { password, code }: TotpDisableRequest,
  by: ActingAdmin,
): Promise<void> {
  const admin = await findSelf(deps, by);
  if (!admin.totp_enabled) throw new TotpOff();
  await checkPassword(deps, admin, password);
  if ((await checkTotp(deps, admin, code)) === null) throw new TotpCodeWrong();
  await deps.db.transaction().execute(async (trx) => {
    const { id } = await lockSelf(trx, admin);
    await deleteRecoveryCodes(trx, id);
    await updateAdmin(trx, id, { totp_enabled: false, totp_secret: null, totp_begun_at: null });
    const adminAction = { ...byAdmin(by), action: 'admin.totp_disabled', target: id };
    await recordAudit(trx, deps.clock.now(), adminAction);
  });
}
