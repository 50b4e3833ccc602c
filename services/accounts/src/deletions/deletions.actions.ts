import { accountsEvents } from '@daylift/contracts/accounts.events';
import { eraseFacts, eraseFailedEvents } from '@daylift/events/erase';
import { publish } from '@daylift/events/publish';
import type { Words } from '@daylift/mail/compose-mail';
import type { Trx } from '../database.ts';
import type { AccountsDeps } from '../deps.ts';
import { PasswordWrong } from '../errors.ts';
import { forgetLoginTries } from '../login-tries/login-tries.repository.ts';
import { provenLoginsOf, triesOf, tryPassword } from '../login-tries/try-password.ts';
import { mailUser } from '../notices/mail-user.ts';
import { recipientOf } from '../users/user-events.ts';
import { type Session, signedIn } from '../users/users.actions.ts';
import { findUser, lockUser } from '../users/users.repository.ts';
import type { User } from '../users/users.table.ts';
import { eraseUser } from './deletions.repository.ts';
import { goodbye } from './words.ts';

/**
 * Deletes an account: the row, every token and all personal data here. Other services follow one event. The email that
 * confirms it leaves no trace once sent.
 */
export async function deleteAccount(
  deps: AccountsDeps,
  session: Session,
  password: string,
): Promise<void> {
  const known = signedIn(await findUser(deps.db, session.user_id), session);
  if (!(await tryPassword(deps, triesOf(known), password, known.password_hash)))
    throw new PasswordWrong();
  const deleted = await deps.db.transaction().execute(async (trx) => {
    const user = signedIn(await lockUser(trx, known.id), session);
    await eraseAccount(trx, deps, user, goodbye(user, deps.product));
    return user;
  });
  await stopTexts(deps, deleted);
}

/** Stops the texts of a deleted account before its event, which erases it at sms-gateway. */
export const stopTexts = (deps: Pick<AccountsDeps, 'applyRecipient'>, user: User): Promise<void> =>
  deps.applyRecipient({ ...recipientOf(user), version: user.version + 1, is_active: false });

/** Erases an account; its row must be locked. Emails these words, if any. */
export async function eraseAccount(
  trx: Trx,
  deps: Pick<AccountsDeps, 'clock' | 'identityHash'>,
  user: User,
  words: Words | null,
  { expired = false } = {},
): Promise<void> {
  const now = deps.clock.now();
  await eraseUser(trx, user);
  // Failed sign-ins at an address that was only claimed may belong to another account.
  await forgetLoginTries(trx, [triesOf(user), ...provenLoginsOf(deps, user)]);
  await eraseFacts(trx, user.id);
  await eraseFailedEvents(trx, user.id);
  const deleted = { user_id: user.id, ...(expired && { expired: true as const }) };
  await publish(trx, accountsEvents, 'accounts.user.deleted', deleted, now);
  if (words === null) return;
  await mailUser(trx, user, { key: `goodbye:${user.id}`, ...words, eraseWhenSent: true }, now);
}
