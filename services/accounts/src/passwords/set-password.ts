import type { SetPasswordRequest } from '@daylift/contracts/accounts.http';
import type { AccountsDeps } from '../deps.ts';
import { CodeNotRight } from '../errors.ts';
import { askForCode, readCode } from '../one-time-codes/one-time-codes.actions.ts';
import { closeCode } from '../one-time-codes/one-time-codes.repository.ts';
import { findByLogin } from '../sessions/find-by-login.ts';
import { forgetTries, releaseTry } from '../sessions/login-tries.repository.ts';
import { codeTriesOf, takeTry, triesOf } from '../sessions/try-password.ts';
import { lockUser } from '../users/users.repository.ts';
import { replacePassword } from './passwords.actions.ts';

/** The first step. Nothing of what happens then can be told from the answer. */
export async function requestCode(deps: AccountsDeps, emailOrPhone: string): Promise<void> {
  const { user } = await findByLogin(deps, emailOrPhone);
  await askForCode(deps, user?.is_active === true ? user.id : null);
}

/** The second step; whatever is not right, and whoever is meant, it fails in the same words. */
export async function setPassword(
  deps: AccountsDeps,
  request: SetPasswordRequest & { code: string },
): Promise<void> {
  const { user, key } = await findByLogin(deps, request.email_or_phone);
  const triesKey = codeTriesOf(key);
  await takeTry(deps, triesKey);
  const userId = user?.is_active === true ? user.id : null;
  const requestId = await readCode(deps, { userId, code: request.code, triesKey });
  if (requestId === null || userId === null) throw new CodeNotRight();
  try {
    const password_hash = await deps.hashing.hash(request.password);
    await useCode(deps, { userId, requestId, password_hash });
  } catch (error) {
    await releaseTry(deps.db, triesKey);
    throw error;
  }
  await forgetTries(deps.db, triesKey);
}

/** Of two who come with the right code at the same moment, one sets their password. */
async function useCode(
  deps: AccountsDeps,
  right: { userId: string; requestId: string; password_hash: string },
): Promise<void> {
  await deps.db.transaction().execute(async (trx) => {
    const user = await lockUser(trx, right.userId);
    const now = deps.clock.now();
    if (user?.is_active !== true || !(await closeCode(trx, right.requestId, now)))
      throw new CodeNotRight();
    const { password_hash, requestId } = right;
    await replacePassword(trx, deps, user, { password_hash, about: requestId });
    // Whoever has the phone is no guesser, however often they tried before.
    await forgetTries(trx, triesOf(user));
  });
}
