import { randomBytes } from 'node:crypto';
import { findConsentHashes } from '../consents/consents.repository.ts';
import type { Trx } from '../database.ts';
import type { AccountsDeps } from '../deps.ts';
import { RevertLinkInvalid } from '../errors.ts';
import { lockAddress } from '../users/address-calls.repository.ts';
import { isProvenByAnyone, lockUser } from '../users/users.repository.ts';
import type { ContactLink, User, UserChange } from '../users/users.table.ts';
import {
  changeContact,
  endOtherClaims,
  reachable,
  withoutEmail,
  withoutPending,
} from './change-contact.ts';
import {
  deleteLinks,
  deleteLinksSince,
  findLink,
  findNextOtherLink,
} from './contact-links.repository.ts';
import { noAddress } from './contact-links.ts';

/**
 * Restores the address that was there before a change, and undoes every later change, because the same person may
 * have made them. Ends every session and the password, and drops pending changes.
 */
export async function revertChange(deps: AccountsDeps, token: string): Promise<void> {
  const link = await findLink(deps.db, deps, 'revert', token);
  if (link === undefined) throw new RevertLinkInvalid();
  const password_hash = await deps.hashing.hash(randomBytes(32).toString('base64url'));
  await deps.db.transaction().execute(async (trx) => {
    const other = await findNextOtherLink(trx, link);
    const undone = other === undefined ? [link] : [link, other];
    for (const { value } of undone.toSorted((one, other) => (one.value < other.value ? -1 : 1)))
      await lockAddress(trx, value);
    const user = await lockUser(trx, link.user_id);
    if (user === undefined || (await findLink(trx, deps, 'revert', token)) === undefined)
      throw new RevertLinkInvalid();
    const change: UserChange = {
      ...withoutPending(user),
      password_hash,
      session_version: user.session_version + 1,
    };
    for (const one of undone) {
      const { field, value, proof } = one;
      if (user[field] !== value && (await isProvenByAnyone(trx, { [field]: value }))) {
        if (one.id === link.id) throw new RevertLinkInvalid();
        continue;
      }
      if (proof !== null) await endOtherClaims(trx, deps, field, value, user.id);
      Object.assign(change, await restored(trx, deps, user, one));
    }
    await changeContact(trx, deps, user, change, { by: 'subscriber' });
    await deleteLinks(trx, user.id, 'confirm');
    await deleteLinksSince(trx, user.id, link.created_at);
  });
}

/** An address that is still there and proven keeps its proof: a new date would make it look young. */
async function restored(
  trx: Trx,
  deps: Pick<AccountsDeps, 'clock' | 'identityHash'>,
  user: User,
  { field, value, proof }: ContactLink,
): Promise<UserChange> {
  if (user[field] === value && user[`${field}_proven_at`] !== null) return {};
  const proven_at = proof === null ? null : deps.clock.now();
  if (field === 'email' && value === noAddress) return withoutEmail;
  if (field === 'email')
    return { email: value, email_proven_at: proven_at, email_proof: proof as User['email_proof'] };
  const consents = await findConsentHashes(trx, user.id);
  return {
    phone: value,
    phone_proven_at: proven_at,
    phone_proof: proof as User['phone_proof'],
    ...(user.phone !== value && {
      consent: consents.includes(deps.identityHash(value)) ? 'granted' : 'pending',
      phone_since_version: user.version + 1,
      ...reachable,
    }),
  };
}
