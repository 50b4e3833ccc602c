import { accountsEvents } from '@daylift/contracts/accounts.events';
import type { SignupRequest } from '@daylift/contracts/accounts.http';
import { publish } from '@daylift/events/publish';
import { rejectOwnAddress } from '../admins/own-addresses.ts';
import { recordConsent } from '../consents/consents.repository.ts';
import { signupWording } from '../consents/wording.ts';
import type { Trx } from '../database.ts';
import type { AccountsDeps } from '../deps.ts';
import { AccountExists, PasswordsDiffer } from '../errors.ts';
import { mailConfirmation } from '../proofs/proofs.actions.ts';
import { findReferrer } from '../referrals/referrals.repository.ts';
import { rememberClient } from '../sessions/known-clients.repository.ts';
import { lockAddress } from '../users/address-calls.repository.ts';
import { clientHashOf } from '../users/identity-hash.ts';
import { publishNewUser, readNewUser, signupEnd } from '../users/new-user.ts';
import { readReferralCode } from '../users/referral-code.ts';
import { signupFactsOf } from '../users/user-events.ts';
import { changeUser } from '../users/users.actions.ts';
import {
  findOpenSignups,
  insertUser,
  isProvenByAnyone,
  lockUser,
} from '../users/users.repository.ts';
import type { User } from '../users/users.table.ts';

export interface Sender {
  ip: string;
  user_agent: string | null;
}

type Form = ReturnType<typeof readNewUser>;

/**
 * Creates the account, the proof of consent and the events in one transaction. The same person who repeats the form,
 * concurrently or after leaving the checkout, continues with the existing account.
 */
export async function signUp(
  deps: AccountsDeps,
  request: SignupRequest,
  sender: Sender,
): Promise<User> {
  if (request.confirmPassword !== undefined && request.confirmPassword !== request.password)
    throw new PasswordsDiffer();
  const form = readNewUser(deps, request, deps.clock.now());
  await rejectOwnAddress(deps, form.email);
  const password_hash = await deps.hashing.hash(request.password);
  const tried = new Set<string>();
  for (;;) {
    const open = (await findOpenSignups(deps.db, form)).filter(({ id }) => !tried.has(id));
    let own: User | undefined;
    for (const signup of open) {
      tried.add(signup.id);
      if (own === undefined && (await deps.hashing.verify(request.password, signup.password_hash)))
        own = signup;
    }
    const user = await deps.db.transaction().execute(async (trx) => {
      for (const address of [form.email, form.phone].sort()) await lockAddress(trx, address);
      if (await isProvenByAnyone(trx, form)) throw new AccountExists();
      if (own !== undefined)
        return resume(trx, deps, own.id, { form: { ...form, ref: request.ref ?? '' }, sender });
      // Someone signed up meanwhile; it may be the same person.
      const others = await findOpenSignups(trx, form);
      if (others.some(({ id }) => !tried.has(id))) return null;
      const referrer_user_id = await findReferrer(trx, readReferralCode(request.ref ?? ''));
      return store(trx, deps, { ...form, password_hash, referrer_user_id }, sender);
    });
    if (user !== null) return user;
  }
}

async function store(
  trx: Trx,
  deps: AccountsDeps,
  form: Form & { password_hash: string; referrer_user_id: string | null },
  sender: Sender,
): Promise<User> {
  const now = deps.clock.now();
  const user = await insertUser(trx, { ...form, expires_at: signupEnd(now) });
  if (user.consent === 'granted') await recordSignupConsent(trx, deps, user, sender);
  const clientHash = clientHashOf(deps, sender.ip);
  await rememberClient(trx, user.id, clientHash);
  await publishNewUser(trx, deps, user, now);
  await mailConfirmation(trx, deps, user, { in_session: false, clientHash });
  return user;
}

/** Null if the signup has expired. */
async function resume(
  trx: Trx,
  deps: AccountsDeps,
  id: string,
  { form, sender }: { form: Form & { ref: string }; sender: Sender },
): Promise<User | null> {
  const user = await lockUser(trx, id);
  if (user === undefined) return null;
  await rememberClient(trx, user.id, clientHashOf(deps, sender.ip));
  const { name, timezone, delivery_hour, frequency, weekday, plan } = form;
  const code = readReferralCode(form.ref);
  const isOwnCode = code === user.referral_code;
  // Earlier versions accepted a signup's own code.
  const known = user.referrer_user_id === user.id ? null : user.referrer_user_id;
  const referrer_user_id = known ?? (isOwnCode ? null : await findReferrer(trx, code));
  const agrees = user.consent === 'pending' && form.consent === 'granted';
  if (agrees) await recordSignupConsent(trx, deps, user, sender);
  const change = {
    ...{ name, timezone, delivery_hour, frequency, weekday, plan, referrer_user_id },
    ...(agrees && { consent: form.consent }),
  };
  const now = deps.clock.now();
  const changed = await changeUser(trx, user, change, now, { by: 'subscriber' });
  if (changed.referrer_user_id !== user.referrer_user_id) {
    const facts = signupFactsOf(changed, deps.identityHash);
    await publish(trx, accountsEvents, 'accounts.user.registered', facts, now);
  }
  return changed;
}

const recordSignupConsent = (
  trx: Trx,
  deps: AccountsDeps,
  user: User,
  sender: Sender,
): Promise<void> =>
  recordConsent(trx, user, {
    source: 'signup',
    wording_version: signupWording,
    given_at: deps.clock.now(),
    phone_hash: deps.identityHash(user.phone ?? ''),
    ...sender,
  });
