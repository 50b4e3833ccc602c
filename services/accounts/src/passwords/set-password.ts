import type { SetPasswordRequest } from '@daylift/contracts/accounts.http';
import type { Trx } from '../database.ts';
import type { SessionDeps } from '../deps.ts';
import { CodeWrong } from '../errors.ts';
import { forgetLoginTries } from '../login-tries/login-tries.repository.ts';
import { loginsOf, triesOf } from '../login-tries/try-password.ts';
import { enqueueCode, readCode } from '../one-time-codes/one-time-codes.actions.ts';
import { closeCode } from '../one-time-codes/one-time-codes.repository.ts';
import type { OneTimeCode } from '../one-time-codes/one-time-codes.table.ts';
import { provePhone, withdrawOtherProof } from '../proofs/prove.ts';
import { findRecoverable, findRecovering } from '../sessions/claims.repository.ts';
import { readLogin } from '../sessions/read-login.ts';
import { lockAddress } from '../users/address-calls.repository.ts';
import { clientHashOf } from '../users/identity-hash.ts';
import { findUser, lockUser } from '../users/users.repository.ts';
import type { User } from '../users/users.table.ts';
import { replacePassword } from './passwords.actions.ts';

/** Requests a code. The response reveals nothing about the account. */
export async function requestCode(
  deps: SessionDeps,
  emailOrPhone: string,
  ip: string,
): Promise<void> {
  const login = readLogin(deps, emailOrPhone);
  const user = await findRecoverable(deps.db, login, clientHashOf(deps, ip));
  await enqueueCode(deps, user?.is_active === true ? user.id : null, user?.is_known_client);
}

/** Sets a password with a code. Every failure returns the same message. */
export async function setPassword(
  deps: SessionDeps,
  request: SetPasswordRequest & { code: string },
  ip: string,
): Promise<void> {
  const login = readLogin(deps, request.email_or_phone);
  const users = await findRecovering(deps.db, login, clientHashOf(deps, ip));
  const active = users.filter((user) => user.is_active);
  for (const user of active.length > 0 ? active : [null]) {
    const userId = user?.id ?? null;
    const given = { userId, code: request.code, purpose: 'recover' as const };
    const fromKnown = user?.is_known_client === true;
    const requestId = await readCode(deps, { ...given, fromKnown });
    if (requestId === null || userId === null) continue;
    const password_hash = await deps.hashing.hash(request.password);
    return useCode(deps, { userId, requestId, password_hash });
  }
  throw new CodeWrong();
}

const addressOf = (
  { identityHash }: SessionDeps,
  user: User,
  channel: OneTimeCode['channel'],
): string | null => {
  const address = channel === 'text' ? user.phone : user.email;
  return address === null ? null : identityHash(address);
};

/** Proves the number if the code was texted, and withdraws the proof of the other address. */
async function settleProofs(
  trx: Trx,
  deps: SessionDeps,
  user: User,
  channel: OneTimeCode['channel'],
): Promise<User> {
  const { phone } = user;
  const proven =
    channel === 'text' && phone !== null && user.phone_proven_at === null
      ? await provePhone(trx, deps, user, {
          phone,
          proof: 'recovery',
          actor: { by: 'subscriber' },
        })
      : user;
  const proven_at = channel === 'text' ? user.phone_proven_at : user.email_proven_at;
  return withdrawOtherProof(trx, deps, proven, { by: channel, proven_at });
}

/** Of two concurrent requests with the right code, one sets its password. */
async function useCode(
  deps: SessionDeps,
  right: { userId: string; requestId: string; password_hash: string },
): Promise<void> {
  const known = await findUser(deps.db, right.userId);
  await deps.db.transaction().execute(async (trx) => {
    if (known?.phone) await lockAddress(trx, known.phone);
    const user = await lockUser(trx, right.userId);
    const now = deps.clock.now();
    if (user?.is_active !== true || user.phone !== known?.phone) throw new CodeWrong();
    const code = await closeCode(trx, right.requestId, now);
    if (code === undefined) throw new CodeWrong();
    if (code.address_hash !== addressOf(deps, user, code.channel)) throw new CodeWrong();
    const recovered = await settleProofs(trx, deps, user, code.channel);
    const { password_hash, requestId } = right;
    await replacePassword(trx, deps, recovered, { password_hash, about: requestId });
    // A correct code proves the holder, so earlier failed tries no longer count.
    await forgetLoginTries(trx, [triesOf(user), ...loginsOf(deps, user)]);
  });
}
