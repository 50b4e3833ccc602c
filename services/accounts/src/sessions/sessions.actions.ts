import type {
  LoginRequest,
  LoginResponse,
  SessionQuery,
  SessionState,
} from '@daylift/contracts/accounts.http';
import type { ActingAdmin } from '@daylift/server/acting-admin';
import { Unauthorized } from '@daylift/server/error';
import type { UserIdentity } from '@daylift/server/identity';
import { byAdmin, recordAudit } from '../audit-log/audit.ts';
import type { SessionDeps } from '../deps.ts';
import { AccountPaused, LoginFailed } from '../errors.ts';
import { loginTriesOf } from '../login-tries/try-password.ts';
import { clientHashOf } from '../users/identity-hash.ts';
import { findClaims } from './claims.repository.ts';
import { hasLapsed } from './default-passwords.ts';
import { findAdminSession, findUserSession, insertEndedToken } from './ended-tokens.repository.ts';
import { readLogin } from './read-login.ts';
import { adminTokenMs, userTokenMs } from './tokens.ts';
import { tryClaims } from './try-claims.ts';

/** Returns a token, or throws the same error for an unknown login, a wrong password and an expired one. */
export async function logInUser(
  deps: SessionDeps,
  request: LoginRequest,
  ip: string,
): Promise<Pick<LoginResponse, 'access_token' | 'must_change_password'>> {
  const login = readLogin(deps, request.login);
  const clientHash = clientHashOf(deps, ip);
  const claims = await findClaims(deps.db, login, clientHash);
  const tried = { key: loginTriesOf(deps, login.value), clientHash };
  const user = await tryClaims(deps, tried, request.password, claims);
  if (user === null) throw new LoginFailed();
  if (hasLapsed(user, deps.clock.now())) throw new LoginFailed();
  if (!user.is_active) throw new AccountPaused();
  return {
    access_token: deps.tokens.forUser(user.id, user.session_version),
    must_change_password: user.password_expires_at !== null,
  };
}

/** Ends one token; other devices stay signed in. */
export async function logOut(deps: Pick<SessionDeps, 'db'>, session: UserIdentity): Promise<void> {
  if (session.token_id === undefined) throw new Unauthorized();
  const latestEnd = new Date(Date.now() + userTokenMs);
  await insertEndedToken(deps.db, session.token_id, latestEnd);
}

/** The same for an admin, recorded once. */
export async function logOutAdmin(
  deps: Pick<SessionDeps, 'db' | 'clock'>,
  token_id: string | undefined,
  admin: ActingAdmin,
): Promise<void> {
  if (token_id === undefined) throw new Unauthorized();
  const latestEnd = new Date(Date.now() + adminTokenMs);
  await deps.db.transaction().execute(async (trx) => {
    if (!(await insertEndedToken(trx, token_id, latestEnd))) return;
    const adminAction = { action: 'admin.logged_out', target: null };
    await recordAudit(trx, deps.clock.now(), { ...byAdmin(admin), ...adminAction });
  });
}

export async function sessionState(
  deps: Pick<SessionDeps, 'db' | 'totpRequired'>,
  query: SessionQuery,
): Promise<SessionState> {
  if (query.kind === 'user') {
    const session = await findUserSession(deps.db, query.subject, query.token_id);
    const counts = session?.is_active === true && session.session_version === query.version;
    const valid = counts && !session.ended;
    const state = { valid, role: null, username: null, totp_missing: false };
    return valid && session.must_change_password ? { ...state, must_change_password: true } : state;
  }
  const admin = await findAdminSession(deps.db, query.subject, query.token_id);
  if (admin?.is_active !== true || admin.session_version !== query.version || admin.ended)
    return { valid: false, role: null, username: null, totp_missing: false };
  const { role, username, totp_enabled } = admin;
  return { valid: true, role, username, totp_missing: deps.totpRequired && !totp_enabled };
}
