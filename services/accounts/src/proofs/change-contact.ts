import type { Trx } from '../database.ts';
import { eraseAccount } from '../deletions/deletions.actions.ts';
import type { AccountsDeps } from '../deps.ts';
import { mailUser } from '../notices/mail-user.ts';
import { signupEnd } from '../users/new-user.ts';
import type { Actor } from '../users/user-changes.table.ts';
import { publishContact } from '../users/user-events.ts';
import { changeUser, hasSubscribed } from '../users/users.actions.ts';
import { lockOtherClaims } from '../users/users.repository.ts';
import type { User, UserChange } from '../users/users.table.ts';
import { phoneLost } from './words.ts';

export type ContactDeps = Pick<AccountsDeps, 'clock' | 'identityHash' | 'product'>;

/** Changes an address or a proof of a locked user, and publishes it. */
export async function changeContact(
  trx: Trx,
  deps: ContactDeps,
  user: User,
  change: UserChange,
  actor: Actor,
): Promise<User> {
  const now = deps.clock.now();
  const changed = await changeUser(trx, user, change, now, actor);
  if (changed.version !== user.version) await publishContact(trx, deps.identityHash, changed, now);
  return changed;
}

/** A confirmed or new number can be reached, until its texts fail. */
export const reachable: UserChange = { unreachable: null, unreachable_since: null };

export const withoutEmail: UserChange = { email: null, email_proven_at: null, email_proof: null };

/** A changed number must agree to texts again. */
const withoutPhone = (user: User): UserChange => ({
  phone: null,
  phone_proven_at: null,
  phone_proof: null,
  consent: 'pending',
  ...reachable,
  phone_since_version: user.version + 1,
});

/** Ignores a later YES of a number that was pending. */
export const withoutPendingPhone = (user: User): UserChange =>
  user.pending_phone === null ? {} : { pending_phone: null, phone_since_version: user.version + 1 };

export const withoutPending = (user: User): UserChange => ({
  pending_email: null,
  ...withoutPendingPhone(user),
});

/**
 * Ends the claims of other accounts on an address that its holder has proven, and tells subscribers who lose a number.
 * An account that keeps an address stays, because it may be paying at this moment. The caller holds the lock of the address.
 */
export async function endOtherClaims(
  trx: Trx,
  deps: ContactDeps,
  field: 'email' | 'phone',
  value: string,
  holder: string,
): Promise<void> {
  for (const claim of await lockOtherClaims(trx, field, value, holder)) {
    const changed = await endClaim(trx, deps, claim, field, value);
    if (changed === null || field === 'email' || claim.phone !== value) continue;
    const key = `phone-lost:${claim.id}:${changed.version}`;
    await mailUser(trx, changed, { key, ...phoneLost(changed, deps.product) }, deps.clock.now());
  }
}

/**
 * Takes an address off an account. An unpaid one that has proven nothing else expires. One without any address left is
 * erased and null returned: no one could sign in to it, so billing refunds a payment that is still under way.
 */
export async function endClaim(
  trx: Trx,
  deps: ContactDeps,
  claim: User,
  field: 'email' | 'phone',
  value: string,
): Promise<User | null> {
  const pending = `pending_${field}` as const;
  const lost = field === 'email' ? withoutEmail : withoutPhone(claim);
  const other = field === 'email' ? claim.phone_proven_at : claim.email_proven_at;
  const isOurs = hasSubscribed(claim) || claim.created_by !== null;
  const last = field === 'email' ? claim.phone : claim.email;
  if (!isOurs && claim[field] === value && last === null) {
    await eraseAccount(trx, deps, claim, null, { expired: true });
    return null;
  }
  const isKept = isOurs || other !== null;
  const expires_at = isKept ? null : (claim.expires_at ?? signupEnd(deps.clock.now()));
  const change = {
    ...(claim[field] === value && { ...lost, expires_at }),
    ...(claim[pending] === value &&
      (field === 'email' ? { pending_email: null } : withoutPendingPhone(claim))),
  };
  return changeContact(trx, deps, claim, change, { by: 'system' });
}
