import type { Transaction } from 'kysely';
import type { AccountsDatabase } from '../database.ts';
import { eraseAccount } from '../deletions/deletions.actions.ts';
import type { AccountsDeps } from '../deps.ts';
import { mailUser } from '../notices/mail-user.ts';
import type { Actor } from '../user-changes/user-changes.table.ts';
import { publishContact } from '../users/user-events.ts';
import { changeUser, hasSubscribed } from '../users/users.actions.ts';
import type { User, UserChange } from '../users/users.table.ts';
import { phoneLost } from './words.ts';

type Trx = Transaction<AccountsDatabase>;
export type ContactDeps = Pick<AccountsDeps, 'clock' | 'identityHash' | 'product'>;

/** Changes an address or a proof of a user whose row the transaction holds, and publishes it. */
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

/** A changed number has to agree to texts again. */
export const withoutPhone = (user: User): UserChange => ({
  phone: null,
  phone_proven_at: null,
  phone_proof: null,
  consent: 'pending',
  phone_since_version: user.version + 1,
});

/**
 * Ends what other accounts claim of an address that its holder has proven: unpaid signups are erased, paid accounts lose
 * the address, and are told of a lost number. The caller holds the lock of the address.
 */
export async function endOtherClaims(
  trx: Trx,
  deps: ContactDeps,
  field: 'email' | 'phone',
  value: string,
  holder: string,
): Promise<void> {
  const pending = `pending_${field}` as const;
  const claims = await trx
    .selectFrom('users')
    .selectAll()
    .where((where) => where.or([where(field, '=', value), where(pending, '=', value)]))
    .where('id', '<>', holder)
    .orderBy('id')
    .forUpdate()
    .execute();
  for (const claim of claims) {
    if (claim[field] === value && !hasSubscribed(claim)) {
      await eraseAccount(trx, deps, claim, null);
      continue;
    }
    const lost = field === 'email' ? { email: null } : withoutPhone(claim);
    const changed = await changeContact(
      trx,
      deps,
      claim,
      { ...(claim[field] === value && lost), ...(claim[pending] === value && { [pending]: null }) },
      { by: 'system' },
    );
    if (field === 'email' || claim.phone !== value) continue;
    const key = `phone-lost:${claim.id}:${changed.version}`;
    await mailUser(trx, changed, { key, ...phoneLost(changed, deps.product) }, deps.clock.now());
  }
}
