import type { Trx } from '../database.ts';
import type { AccountsDeps } from '../deps.ts';
import {
  CodeWrong,
  NoConfirmedAddress,
  NoPhone,
  NotSubscribed,
  OptedOut,
  PhoneProven,
  SubscriptionEnded,
  TooManyCodes,
} from '../errors.ts';
import { readCode } from '../one-time-codes/one-time-codes.actions.ts';
import { closeCode } from '../one-time-codes/one-time-codes.repository.ts';
import { isOverLimit, openCode } from '../one-time-codes/send-codes.ts';
import { admitAddressCall, lockAddress } from '../users/address-calls.repository.ts';
import { hasEnded, hasSubscribed, type Session, signedIn } from '../users/users.actions.ts';
import { findUser, lockUser } from '../users/users.repository.ts';
import type { User } from '../users/users.table.ts';
import { provePhone } from './prove.ts';

function unprovenPhone(user: User): string {
  const phone = user.pending_phone ?? user.phone;
  if (phone === null) throw new NoPhone();
  if (user.pending_phone === null && user.phone_proven_at !== null) throw new PhoneProven();
  return phone;
}

export async function requestPhoneCode(deps: AccountsDeps, session: Session): Promise<void> {
  await deps.db.transaction().execute(async (trx) => {
    const user = signedIn(await lockUser(trx, session.user_id), session);
    const address = unprovenPhone(user);
    if (!hasSubscribed(user)) throw new NotSubscribed();
    if (hasEnded(user)) throw new SubscriptionEnded();
    if (user.opted_out && user.pending_phone === null) throw new OptedOut();
    await rejectManyCodes(trx, deps, user, address);
    await openCode(trx, deps, user, {
      purpose: 'prove',
      channel: 'text',
      address,
      fromKnown: true,
    });
  });
}

async function rejectManyCodes(
  trx: Trx,
  deps: AccountsDeps,
  user: User,
  address: string,
): Promise<void> {
  const addressCall = { address, user, call: 'code' as const, fromKnown: true };
  if (await isOverLimit(trx, user.id, new Date(), true)) throw new TooManyCodes();
  if (!(await admitAddressCall(trx, deps, addressCall, new Date()))) throw new TooManyCodes();
}

/** Proves the number by the code that was texted to it. A new number still needs consent to texts. */
export async function confirmPhone(
  deps: AccountsDeps,
  session: Session,
  code: string,
): Promise<void> {
  const known = signedIn(await findUser(deps.db, session.user_id), session);
  const phone = unprovenPhone(known);
  const requestId = await readCode(deps, {
    userId: known.id,
    code,
    purpose: 'prove',
    fromKnown: true,
  });
  if (requestId === null) throw new CodeWrong();
  await deps.db.transaction().execute(async (trx) => {
    await lockAddress(trx, phone);
    const user = signedIn(await lockUser(trx, known.id), session);
    const used = await closeCode(trx, requestId, deps.clock.now());
    if (used?.address_hash !== deps.identityHash(phone) || unprovenPhone(user) !== phone)
      throw new CodeWrong();
    const isNew = phone !== user.phone;
    await provePhone(trx, deps, user, {
      phone,
      proof: 'session',
      actor: { by: 'subscriber' },
      ...(isNew && { consent: 'pending' as const }),
    });
  });
}

/** Sends a code to a proven address, for a change of address without the password. */
export async function requestContactCode(deps: AccountsDeps, session: Session): Promise<void> {
  await deps.db.transaction().execute(async (trx) => {
    const user = signedIn(await lockUser(trx, session.user_id), session);
    const canMail = user.email_proven_at !== null;
    const canText = user.phone_proven_at !== null && !user.opted_out && user.consent === 'granted';
    const address = canMail ? user.email : canText ? user.phone : null;
    if (address === null) throw new NoConfirmedAddress();
    await rejectManyCodes(trx, deps, user, address);
    await openCode(trx, deps, user, {
      purpose: 'change',
      channel: canMail ? 'mail' : 'text',
      address,
      fromKnown: true,
    });
  });
}
