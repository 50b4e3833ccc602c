import type { LoginRequest, SessionQuery, SessionState } from '@daylift/contracts/accounts.http';
import { waitInWords } from '@daylift/server/wait-in-words';
import { findAdmin, findAdminByUsername } from '../admins/admins.repository.ts';
import type { Admin } from '../admins/admins.table.ts';
import { type AuditContext, recordAudit } from '../admins/audit.ts';
import type { AccountsDeps } from '../deps.ts';
import { AccountPaused, AdminLoginFailed, LoginFailed, TooManyTries } from '../errors.ts';
import { canonicalEmail } from '../users/email-address.ts';
import { findUser, findUserByEmail, findUserByPhone } from '../users/users.repository.ts';
import type { User } from '../users/users.table.ts';
import { admitTry, countFailure, forgetTries, releaseTry } from './login-tries.repository.ts';

/** Answers a token, or throws the same for an unknown login and for a wrong password. */
export async function logInUser(deps: AccountsDeps, request: LoginRequest): Promise<string> {
  const login = readLogin(deps, request.login);
  const user = await findUserByLogin(deps, login);
  const key = user ? `user:${user.id}` : `login:${deps.identityHash(login.value)}`;
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

/** One try, counted and limited; equally long whether there is a password to compare with or not. */
async function tryPassword(
  deps: AccountsDeps,
  key: string,
  password: string,
  password_hash: string | undefined,
): Promise<boolean> {
  const waitMs = await admitTry(deps.db, key, new Date());
  if (waitMs > 0) throw new TooManyTries(waitInWords(waitMs));
  let right: boolean;
  try {
    right = await deps.hashing.verify(password, password_hash ?? null);
  } catch (error) {
    await releaseTry(deps.db, key);
    throw error;
  }
  if (right) await forgetTries(deps.db, key);
  else await countFailure(deps.db, key, new Date());
  return right;
}

type Login = { kind: 'email' | 'phone'; value: string };

/** As typed, in the one spelling that is stored; what is neither address nor number belongs to nobody. */
function readLogin(deps: AccountsDeps, input: string): Login {
  if (input.includes('@')) return { kind: 'email', value: canonicalEmail(input) };
  try {
    return { kind: 'phone', value: deps.readPhone(input) };
  } catch {
    return { kind: 'phone', value: canonicalEmail(input) };
  }
}

function findUserByLogin(deps: AccountsDeps, login: Login): Promise<User | undefined> {
  return login.kind === 'email'
    ? findUserByEmail(deps.db, login.value)
    : findUserByPhone(deps.db, login.value);
}

/** Whether a token of this person and version still counts, and what an admin may do now. */
export async function sessionState(
  deps: Pick<AccountsDeps, 'db'>,
  query: SessionQuery,
): Promise<SessionState> {
  if (query.kind === 'user') {
    const user = await findUser(deps.db, query.subject);
    const valid = user?.is_active === true && user.session_version === query.version;
    return { valid, role: null, username: null };
  }
  const admin = await findAdmin(deps.db, query.subject);
  if (admin?.is_active !== true || admin.session_version !== query.version)
    return { valid: false, role: null, username: null };
  return { valid: true, role: admin.role, username: admin.username };
}
