import { findConsentHashes } from '../consents/consents.repository.ts';
import type { Trx } from '../database.ts';
import type { Actor } from '../users/user-changes.table.ts';
import type { User } from '../users/users.table.ts';
import { type ContactDeps, changeContact, endOtherClaims, reachable } from './change-contact.ts';
import { deleteLinks, prolongRevertLinks } from './contact-links.repository.ts';

/**
 * Records that a link sent to the email came back; a pending email takes the place of the one before. The caller holds the
 * lock of the address and the row of the user.
 */
export async function proveEmail(
  trx: Trx,
  deps: ContactDeps,
  user: User,
  email: string,
  proof: NonNullable<User['email_proof']>,
): Promise<User> {
  await endOtherClaims(trx, deps, 'email', email, user.id);
  if (email !== user.email) await prolongRevertLinks(trx, user, 'email', deps.clock.now());
  const change = {
    email,
    email_proof: proof,
    email_proven_at: deps.clock.now(),
    pending_email: null,
    expires_at: null,
  };
  return changeContact(trx, deps, user, change, { by: 'subscriber' });
}

/** The same for a number. Its proof also completes a consent to texts that was given with it and waited for the proof. */
export async function provePhone(
  trx: Trx,
  deps: ContactDeps,
  user: User,
  proven: { phone: string; proof: NonNullable<User['phone_proof']>; actor: Actor } & Pick<
    Partial<User>,
    'consent'
  >,
): Promise<User> {
  const { phone, proof, actor } = proven;
  await endOtherClaims(trx, deps, 'phone', phone, user.id);
  if (phone !== user.phone) await prolongRevertLinks(trx, user, 'phone', deps.clock.now());
  const agreed = await findConsentHashes(trx, user.id);
  const isWaiting = user.consent === 'pending' && phone === user.phone;
  const isAgreed = isWaiting && agreed.includes(deps.identityHash(phone));
  const consent = proven.consent ?? (isAgreed ? 'granted' : undefined);
  const change = {
    phone,
    phone_proof: proof,
    phone_proven_at: deps.clock.now(),
    pending_phone: null,
    expires_at: null,
    ...reachable,
    ...(consent !== undefined && { consent }),
    ...(phone !== user.phone && { phone_since_version: user.version + 1 }),
  };
  return changeContact(trx, deps, user, change, actor);
}

const shownInSession = (proof: string | null): boolean =>
  proof === 'session' || proof === 'migrated';

/**
 * After a recovery over one channel the other counts as proven only if the same person showed both from inside the
 * account: an earlier link or reply may have come from someone else. Links that confirm an email end in any case,
 * because a thief may have asked for them. Links that revert a change stay if they were mailed, so the owner of the email
 * can undo what someone with a stolen number did, or if they are older than the proof of the address that recovers:
 * they may undo the change that brought a thief's address into the account.
 */
export async function withdrawOtherProof(
  trx: Trx,
  deps: ContactDeps,
  user: User,
  recovered: { by: 'text' | 'mail'; proven_at: Date | null },
): Promise<User> {
  await deleteLinks(trx, user.id, 'confirm');
  if (shownInSession(user.email_proof) && shownInSession(user.phone_proof)) return user;
  await deleteLinks(trx, user.id, 'revert', ['text'], recovered.proven_at ?? undefined);
  const withdrawn =
    recovered.by === 'mail'
      ? { phone_proven_at: null, phone_proof: null }
      : { email_proven_at: null, email_proof: null };
  return changeContact(trx, deps, user, withdrawn, { by: 'system' });
}
