import { randomUUID } from 'node:crypto';
import type { ChangePasswordRequest } from '@daylift/contracts/accounts.http';
import type { Trx } from '../database.ts';
import type { SessionDeps } from '../deps.ts';
import { CurrentPasswordWrong, PasswordNotOwn } from '../errors.ts';
import { triesOf, tryPassword } from '../login-tries/try-password.ts';
import { mailUser } from '../notices/mail-user.ts';
import { type ContactDeps, changeContact, withoutPending } from '../proofs/change-contact.ts';
import { deleteSessionLinks } from '../proofs/contact-links.repository.ts';
import { hasLapsed } from '../sessions/default-passwords.ts';
import { type Session, signedIn } from '../users/users.actions.ts';
import { findUser, lockUser, updateUser } from '../users/users.repository.ts';
import type { User } from '../users/users.table.ts';
import { passwordChanged } from './words.ts';

/** Returns a new token, because all earlier ones end. */
export async function changePassword(
  deps: SessionDeps,
  session: Session,
  request: ChangePasswordRequest,
): Promise<string> {
  const user = signedIn(await findUser(deps.db, session.user_id), session);
  if (!(await tryPassword(deps, triesOf(user), request.old_password, user.password_hash)))
    throw new CurrentPasswordWrong();
  if (hasLapsed(user, deps.clock.now())) throw new CurrentPasswordWrong();
  if (user.password_expires_at !== null && request.new_password === request.old_password)
    throw new PasswordNotOwn();
  const password_hash = await deps.hashing.hash(request.new_password);
  const changed = await deps.db.transaction().execute(async (trx) => {
    const locked = signedIn(await lockUser(trx, user.id), session);
    return replacePassword(trx, deps, locked, { password_hash, about: randomUUID() });
  });
  return deps.tokens.forUser(changed.id, changed.session_version);
}

/**
 * Ends every session, and changes of address that wait for their proof: someone with the old password may have requested
 * them, but not with a default password, which allows nothing else. Notifies the owner, who may not have made the change.
 */
export async function replacePassword(
  trx: Trx,
  deps: ContactDeps,
  user: User,
  change: { password_hash: string; about: string },
): Promise<User> {
  const isDefault = user.password_expires_at !== null;
  const settled = isDefault ? user : await endPendingChanges(trx, deps, user);
  const changed = await updateUser(trx, user.id, {
    password_hash: change.password_hash,
    password_expires_at: null,
    session_version: user.session_version + 1,
  });
  const words = passwordChanged(changed, deps.product, { endsChange: settled !== user });
  const key = `password-changed:${change.about}`;
  await mailUser(trx, changed, { key, ...words }, deps.clock.now());
  return changed;
}

async function endPendingChanges(trx: Trx, deps: ContactDeps, user: User): Promise<User> {
  await deleteSessionLinks(trx, user.id);
  return changeContact(trx, deps, user, withoutPending(user), { by: 'system' });
}
