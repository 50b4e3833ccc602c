import type { LoginRequest, SessionQuery, SessionState } from '@daylift/contracts/accounts.http';
import { Unauthorized } from '@daylift/server/error';
import type { UserIdentity } from '@daylift/server/identity';
import { findAdmin, findAdminByUsername } from '../admins/admins.repository.ts';
import type { Admin } from '../admins/admins.table.ts';
import { type AuditContext, recordAudit } from '../admins/audit.ts';
import type { AccountsDeps } from '../deps.ts';
import { AccountPaused, AdminLoginFailed, LoginFailed } from '../errors.ts';
import { findUserSession, insertEndedToken } from './ended-tokens.repository.ts';
import { findByLogin } from './find-by-login.ts';
import { userTokenMs } from './tokens.ts';
import { tryPassword } from './try-password.ts';

/** Answers a token, or throws the same for an unknown login and for a wrong password. */
export async function logInUser(deps: AccountsDeps, request: LoginRequest): Promise<string> {
  const { user, key } = await findByLogin(deps, request.login);
  if (!(await tryPassword(deps, key, request.password, user?.password_hash)) || !user)
    throw new LoginFailed();
  if (!user.is_active) throw new AccountPaused();
  return deps.tokens.forUser(user.id, user.session_version);
}

export async function logInAdmin(
  deps: AccountsDeps,
  request: { username: string; password: string },
  context: AuditContext,
): Promise<{ admin: Admin; token: string }> {
  const admin = await findAdminByUsername(deps.db, request.username);
  const key = admin ? `admin:${admin.id}` : `username:${deps.identityHash(request.username)}`;
  const right = await tryPassword(deps, key, request.password, admin?.password_hash);
  const welcome = right && admin?.is_active === true;
  await deps.db.transaction().execute((trx) =>
    recordAudit(trx, deps.clock.now(), {
      ...context,
      actor: admin ? { admin_id: admin.id, username: admin.username } : null,
      action: welcome ? 'admin.logged_in' : 'admin.login_failed',
      target: null,
    }),
  );
  if (!welcome) throw new AdminLoginFailed();
  return { admin, token: deps.tokens.forAdmin(admin.id, admin.session_version) };
}

/** Ends the one token that somebody came with; their other devices stay signed in. */
export async function logOut(deps: Pick<AccountsDeps, 'db'>, session: UserIdentity): Promise<void> {
  if (session.token_id === undefined) throw new Unauthorized();
  const latestEnd = new Date(Date.now() + userTokenMs);
  await insertEndedToken(deps.db, session.token_id, latestEnd);
}

/** Whether a token of this person and version still counts, and what an admin may do now. */
export async function sessionState(
  deps: Pick<AccountsDeps, 'db'>,
  query: SessionQuery,
): Promise<SessionState> {
  if (query.kind === 'user') {
    const session = await findUserSession(deps.db, query.subject, query.token_id);
    const counts = session?.is_active === true && session.session_version === query.version;
    const valid = counts && !session.ended;
    return { valid, role: null, username: null };
  }
  const admin = await findAdmin(deps.db, query.subject);
  if (admin?.is_active !== true || admin.session_version !== query.version)
    return { valid: false, role: null, username: null };
  return { valid: true, role: admin.role, username: admin.username };
}
