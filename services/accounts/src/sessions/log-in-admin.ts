import { randomUUID } from 'node:crypto';
import type { AdminLoginRequest } from '@daylift/contracts/accounts.http';
import { inSavepoint } from '@daylift/database/savepoint';
import { queueMail } from '@daylift/mail/mail';
import { findOwnerEmails, updateAdmin } from '../admins/admins.repository.ts';
import type { Admin } from '../admins/admins.table.ts';
import { guessingWords } from '../admins/words.ts';
import { type AuditContext, recordAudit } from '../audit-log/audit.ts';
import type { Trx } from '../database.ts';
import type { SessionDeps } from '../deps.ts';
import { AdminLoginFailed, TotpRequired } from '../errors.ts';
import { adminLoginTriesOf } from '../login-tries/try-password.ts';
import { checkTotp } from '../totp/check-totp.ts';
import { clientHashOf } from '../users/identity-hash.ts';
import { findAdminClaims } from './claims.repository.ts';
import { tryClaims } from './try-claims.ts';

/** Consecutive failures that alert the owners. */
const failuresToAlert = 5;

/** Returns a token, or throws the same error for an unknown name, a wrong password and a wrong code. */
export async function logInAdmin(
  deps: SessionDeps,
  { username, password, code }: AdminLoginRequest,
  context: AuditContext,
): Promise<{ admin: Admin; token: string }> {
  const clientHash = clientHashOf(deps, context.ip);
  const claims = await findAdminClaims(deps.db, username, clientHash);
  const [admin] = claims;
  const key = admin ? adminLoginTriesOf(admin) : `username:${deps.identityHash(username)}`;
  const afterFailure = (trx: Trx, failures: number) =>
    writeFailure(trx, deps, { admin, failures, context });
  const right = await tryClaims(deps, { key, clientHash }, password, claims, afterFailure);
  if (right === null || !admin) throw new AdminLoginFailed();
  if (!admin.is_active) {
    await deps.db.transaction().execute((trx) => afterFailure(trx, 0));
    throw new AdminLoginFailed();
  }
  const by = await checkSecondFactor(deps, admin, code, afterFailure);
  const now = deps.clock.now();
  await deps.db.transaction().execute(async (trx) => {
    await updateAdmin(trx, admin.id, { last_login_at: now });
    const actor = { admin_id: admin.id, username };
    const details = by === null ? {} : { details: { second_step: by } };
    const adminAction = { action: 'admin.logged_in', target: null, ...details };
    await recordAudit(trx, now, { ...context, actor, ...adminAction });
  });
  return { admin, token: deps.tokens.forAdmin(admin.id, admin.session_version) };
}

async function checkSecondFactor(
  deps: SessionDeps,
  admin: Admin,
  code: string | undefined,
  afterFailure: (trx: Trx, failures: number) => Promise<void>,
): Promise<'app' | 'recovery code' | null> {
  if (!admin.totp_enabled) return null;
  if (code === undefined) throw new TotpRequired();
  const by = await checkTotp(deps, admin, code, afterFailure);
  if (by === null) throw new AdminLoginFailed();
  return by;
}

async function writeFailure(
  trx: Trx,
  deps: SessionDeps,
  failed: { admin: Admin | undefined; failures: number; context: AuditContext },
): Promise<void> {
  const { admin, failures, context } = failed;
  if (failures === failuresToAlert) await alarm(trx, deps, admin, context.ip);
  await recordAudit(trx, deps.clock.now(), {
    ...context,
    actor: admin ? { admin_id: admin.id, username: admin.username } : null,
    action: 'admin.login_failed',
    target: null,
  });
}

/**
 * Mails every owner who has an address, or else the support address. For an unknown name the same mails are written and
 * rolled back, because the time would reveal which names exist.
 */
async function alarm(
  trx: Trx,
  deps: SessionDeps,
  admin: Admin | undefined,
  ip: string,
): Promise<void> {
  const owners = await findOwnerEmails(trx);
  const words = guessingWords({ username: admin?.username ?? '' }, deps.product, ip);
  await inSavepoint(trx, { keep: admin !== undefined }, async () => {
    for (const to of owners.length === 0 ? [deps.product.supportEmail] : owners)
      await queueMail(
        trx,
        { key: `admin-guessed:${randomUUID()}`, to, ...words },
        deps.clock.now(),
      );
  });
}
