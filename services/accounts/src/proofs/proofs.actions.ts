import type { ConfirmEmailRequest } from '@daylift/contracts/accounts.http';
import type { Trx } from '../database.ts';
import type { AccountsDeps } from '../deps.ts';
import {
  EmailProven,
  LinkInvalid,
  NoEmail,
  PasswordNeededToConfirm,
  PasswordWrong,
  TooManyConfirmations,
} from '../errors.ts';
import { linkTriesOf, tryPassword } from '../login-tries/try-password.ts';
import { admitAddressCall, lockAddress } from '../users/address-calls.repository.ts';
import { type Session, signedIn } from '../users/users.actions.ts';
import { findUser, isClaimedByOthers, lockUser } from '../users/users.repository.ts';
import type { User } from '../users/users.table.ts';
import { endClaim } from './change-contact.ts';
import { findLink } from './contact-links.repository.ts';
import { mailLink } from './contact-links.ts';
import { proveEmail } from './prove.ts';
import { confirmEmail } from './words.ts';

/**
 * Mails the link that proves an email. Returns false if a daily limit of the account, the client or the address is
 * reached.
 */
export async function mailConfirmation(
  trx: Trx,
  deps: AccountsDeps,
  user: User,
  { in_session, clientHash }: { in_session: boolean; clientHash: string | null },
): Promise<boolean> {
  const email = user.pending_email ?? user.email;
  if (email === null) return true;
  const addressCall = { address: email, user, call: 'confirmation' as const, clientHash };
  if (!(await admitAddressCall(trx, deps, addressCall, new Date()))) return false;
  await mailLink(
    trx,
    deps,
    { user_id: user.id, purpose: 'confirm', field: 'email', value: email, in_session, proof: null },
    { to: email, write: (url) => confirmEmail(deps.product, url) },
  );
  return true;
}

export async function resendConfirmation(
  deps: AccountsDeps,
  session: Session,
  clientHash: string,
): Promise<void> {
  await deps.db.transaction().execute(async (trx) => {
    const user = signedIn(await lockUser(trx, session.user_id), session);
    if (user.pending_email === null && user.email === null) throw new NoEmail();
    if (user.pending_email === null && user.email_proven_at !== null) throw new EmailProven();
    if (!(await mailConfirmation(trx, deps, user, { in_session: true, clientHash })))
      throw new TooManyConfirmations();
  });
}

/**
 * Proves the email that the link was sent to, or ends the claim on it. The link works repeatedly. Signups with the
 * same email get identical emails, so its owner may have opened a stranger's link. A password shows that the account
 * is theirs.
 */
export async function answerConfirmation(
  deps: AccountsDeps,
  { token, decline = false, password }: ConfirmEmailRequest,
): Promise<void> {
  const link = await findLink(deps.db, deps, 'confirm', token);
  if (link === undefined) throw new LinkInvalid();
  const email = link.value;
  if (!decline && password !== undefined) {
    const known = await findUser(deps.db, link.user_id);
    if (known === undefined) throw new LinkInvalid();
    if (!(await tryPassword(deps, linkTriesOf(known), password, known.password_hash)))
      throw new PasswordWrong();
  }
  await deps.db.transaction().execute(async (trx) => {
    await lockAddress(trx, email);
    const user = await lockUser(trx, link.user_id);
    const isStillValid = (await findLink(trx, deps, 'confirm', token)) !== undefined;
    if (user === undefined || !isStillValid) throw new LinkInvalid();
    if (user.email === email && user.email_proven_at !== null) {
      if (decline) throw new LinkInvalid();
      return;
    }
    if (user.email !== email && user.pending_email !== email) throw new LinkInvalid();
    if (decline) {
      await endClaim(trx, deps, user, 'email', email);
      return;
    }
    if (password === undefined && (await isClaimedByOthers(trx, email, user.id)))
      throw new PasswordNeededToConfirm();
    await proveEmail(trx, deps, user, email, link.in_session ? 'session' : 'link');
  });
}
