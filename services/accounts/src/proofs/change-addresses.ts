import { dayMs } from '@daylift/clock/durations';
import type { UpdateMeRequest } from '@daylift/contracts/accounts.http';
import { rejectOwnAddress } from '../admins/own-addresses.ts';
import type { Trx } from '../database.ts';
import type { AccountsDeps } from '../deps.ts';
import {
  CodeWrong,
  CurrentPasswordWrong,
  EmailTaken,
  PasswordNeeded,
  TooManyConfirmations,
  TooManyEmailChanges,
  TooManyPhoneChanges,
} from '../errors.ts';
import { triesOf, tryPassword } from '../login-tries/try-password.ts';
import { mailUser } from '../notices/mail-user.ts';
import { readCode } from '../one-time-codes/one-time-codes.actions.ts';
import { canonicalEmail } from '../users/email-address.ts';
import { admitCall } from '../users/limited-calls.repository.ts';
import { countPhoneChanges, insertPhoneChange } from '../users/phone-changes.repository.ts';
import type { Actor } from '../users/user-changes.table.ts';
import { hasSubscribed } from '../users/users.actions.ts';
import { isProvenByAnyone } from '../users/users.repository.ts';
import type { ContactLink, User, UserChange } from '../users/users.table.ts';
import { changeContact, reachable, withoutPendingPhone } from './change-contact.ts';
import { deleteLinks, retireRevertLinks } from './contact-links.repository.ts';
import { mailLink, noAddress, textLink } from './contact-links.ts';
import { mailConfirmation } from './proofs.actions.ts';
import { changeRequested } from './words.ts';

export interface WantedAddresses {
  phone?: string;
  email?: string;
}

interface Requester {
  actor: Actor;
  /** Null for an admin. */
  clientHash: string | null;
}

const changesADay = 5;

/** Normalizes the requested addresses and returns whether any is new. */
export async function readAddresses(
  deps: AccountsDeps,
  user: User,
  request: Pick<UpdateMeRequest, 'phone' | 'email'>,
): Promise<{ wanted: WantedAddresses; isNew: boolean }> {
  const wanted: WantedAddresses = {};
  if (request.phone !== undefined) wanted.phone = deps.readPhone(request.phone);
  if (request.email !== undefined) wanted.email = canonicalEmail(request.email);
  const isNew =
    (wanted.phone !== undefined && ![user.phone, user.pending_phone].includes(wanted.phone)) ||
    (wanted.email !== undefined && ![user.email, user.pending_email].includes(wanted.email));
  if (isNew && wanted.email !== undefined) await rejectOwnAddress(deps, wanted.email);
  return { wanted, isNew };
}

/**
 * Reads the requested addresses, and requires the password or a code for a new one. The code's request is closed with
 * the change, so a change that fails doesn't use it up.
 */
export async function authorizeContactChange(
  deps: AccountsDeps,
  user: User,
  request: UpdateMeRequest,
): Promise<{ wanted: WantedAddresses; codeRequest?: string }> {
  const { wanted, isNew } = await readAddresses(deps, user, request);
  if (!isNew) return { wanted };
  const { current_password, code } = request;
  if (current_password !== undefined) {
    if (!(await tryPassword(deps, triesOf(user), current_password, user.password_hash)))
      throw new CurrentPasswordWrong();
    return { wanted };
  }
  if (code === undefined) throw new PasswordNeeded();
  const given = { userId: user.id, code, purpose: 'change' as const, fromKnown: true };
  const codeRequest = await readCode(deps, given);
  if (codeRequest === null) throw new CodeWrong();
  return { wanted, codeRequest };
}

export async function changeAddresses(
  trx: Trx,
  deps: AccountsDeps,
  user: User,
  { phone, email }: WantedAddresses,
  requester: Requester,
): Promise<User> {
  const withPhone =
    phone === undefined ? user : await changePhone(trx, deps, user, phone, requester.actor);
  return email === undefined ? withPhone : changeEmail(trx, deps, withPhone, email, requester);
}

async function changePhone(
  trx: Trx,
  deps: AccountsDeps,
  user: User,
  phone: string,
  by: Actor,
): Promise<User> {
  if (phone === user.phone) return changeContact(trx, deps, user, withoutPendingPhone(user), by);
  if (phone === user.pending_phone) return user;
  const now = deps.clock.now();
  const since = new Date(now.getTime() - dayMs);
  if ((await countPhoneChanges(trx, user.id, since, now)) >= changesADay)
    throw new TooManyPhoneChanges();
  await insertPhoneChange(trx, user.id, now);
  await retireRevertLinks(trx, user.id, 'phone');
  await mailRevertLink(trx, deps, user, 'phone', now);
  // Later replies from the new number refer to this version.
  const phone_since_version = user.version + 1;
  const isHeld = hasSubscribed(user) || user.phone_proven_at !== null;
  const change: UserChange = isHeld
    ? { pending_phone: phone, phone_since_version }
    : { phone, consent: 'pending', ...reachable, phone_since_version };
  const changed = await changeContact(trx, deps, user, change, by);
  await textRevertLink(trx, deps, user, 'phone', changed.version);
  return changed;
}

async function changeEmail(
  trx: Trx,
  deps: AccountsDeps,
  user: User,
  email: string,
  { actor: by, clientHash }: Requester,
): Promise<User> {
  if (email === user.pending_email) return user;
  if (email === user.email) return changeContact(trx, deps, user, { pending_email: null }, by);
  if (await isProvenByAnyone(trx, { email })) throw new EmailTaken();
  const call = { user_id: user.id, call: 'email-change' as const };
  const limit = { atMost: changesADay, withinMs: dayMs, now: deps.clock.now() };
  if (!(await admitCall(trx, call, limit))) throw new TooManyEmailChanges();
  await retireRevertLinks(trx, user.id, 'email');
  await mailRevertLink(trx, deps, user, 'email', deps.clock.now());
  await deleteLinks(trx, user.id, 'confirm');
  const change = user.email_proven_at === null ? { email } : { pending_email: email };
  const changed = await changeContact(trx, deps, user, change, by);
  if (user.email_proven_at === null)
    await textRevertLink(trx, deps, user, 'email', changed.version);
  if (
    !(await mailConfirmation(trx, deps, changed, {
      in_session: by.by === 'subscriber',
      clientHash,
    }))
  )
    throw new TooManyConfirmations();
  return changed;
}

/** Goes to a proven email only: another may be a stranger's, whom the link would let into the account. */
async function mailRevertLink(
  trx: Trx,
  deps: AccountsDeps,
  user: User,
  field: ContactLink['field'],
  now: Date,
): Promise<void> {
  const { email } = user;
  const value = user[field];
  if (user.email_proven_at === null && field === 'phone') {
    const key = `change-requested:${user.id}:${user.version}`;
    const words = changeRequested(user, deps.product, field, null);
    return mailUser(trx, user, { key, ...words }, now);
  }
  if (email === null || user.email_proven_at === null || value === null) return;
  const proof = user[`${field}_proof`];
  await mailLink(
    trx,
    deps,
    { user_id: user.id, purpose: 'revert', field, value, proof, in_session: true },
    { to: email, write: (url) => changeRequested(user, deps.product, field, url) },
    now,
  );
}

/** Goes to the number that was proven before the change, unless it said STOP. */
async function textRevertLink(
  trx: Trx,
  deps: AccountsDeps,
  user: User,
  field: ContactLink['field'],
  recipient_version: number,
): Promise<void> {
  if (user.phone === null || user.phone_proven_at === null || user.opted_out) return;
  const link = {
    ...{ user_id: user.id, purpose: 'revert' as const, field, in_session: true },
    ...{ value: user[field] ?? noAddress, proof: user[`${field}_proof`], recipient_version },
  };
  await textLink(trx, deps, link, deps.clock.now());
}
