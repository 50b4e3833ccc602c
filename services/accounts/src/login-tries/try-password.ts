import { formatWait } from '@daylift/server/format-wait';
import type { Trx } from '../database.ts';
import type { AccountsDeps } from '../deps.ts';
import { TooManyTries } from '../errors.ts';
import type { User } from '../users/users.table.ts';
import { admitTry, countFailure, forgetTries, releaseTry } from './login-tries.repository.ts';
import { narrowLimit, type TryLimit } from './login-tries.ts';

export type AfterFailure = (trx: Trx, failures: number) => Promise<void>;

export async function tryPassword(
  deps: AccountsDeps,
  key: string,
  password: string,
  password_hash: string | null,
): Promise<boolean> {
  await takeTry(deps, key);
  const verify = async () => (await deps.hashing.verify(password, password_hash)) || null;
  return (await settleTries(deps, [{ key, limit: narrowLimit }], verify)) ?? false;
}

export async function settleTries<T>(
  { db }: Pick<AccountsDeps, 'db'>,
  tries: { key: string; limit: TryLimit }[],
  verify: () => Promise<T | null>,
  settling: { afterSuccess?: typeof forgetTries; afterFailure?: AfterFailure | undefined } = {},
): Promise<T | null> {
  const { afterSuccess = forgetTries, afterFailure } = settling;
  let found: T | null;
  try {
    found = await verify();
  } catch (error) {
    for (const { key } of tries) await releaseTry(db, key);
    throw error;
  }
  if (found !== null) for (const { key } of tries) await afterSuccess(db, key);
  else
    await db.transaction().execute(async (trx) => {
      let failures = 0;
      for (const { key, limit } of tries)
        failures = await countFailure(trx, key, new Date(), limit);
      await afterFailure?.(trx, failures);
    });
  return found;
}

/** Admits a try, or throws with the time to wait. */
export async function takeTry(
  deps: Pick<AccountsDeps, 'db'>,
  key: string,
  limit = narrowLimit,
): Promise<void> {
  const waitMs = await admitTry(deps.db, key, new Date(), limit);
  if (waitMs > 0) throw new TooManyTries(formatWait(waitMs));
}

/** Returns the key that counts tries at a user's password inside a session. */
export const triesOf = (user: { id: string }): string => `user:${user.id}`;
/** The same with a link that was mailed to an address, perhaps a stranger's, who must not use up the tries inside. */
export const linkTriesOf = (user: { id: string }): string => `${triesOf(user)}|link`;
/**
 * Returns the key that counts the tries at a login, known or not. It depends on what was typed and not on the account,
 * which would reveal which email and phone belong together.
 */
export const loginTriesOf = (
  { identityHash }: Pick<AccountsDeps, 'identityHash'>,
  login: string,
): string => `login:${identityHash(login)}`;
export const adminTriesOf = (admin: { id: string }): string => `admin:${admin.id}`;
/** Strangers must not use up the tries inside a session, so these are counted apart. */
export const adminLoginTriesOf = (admin: { id: string }): string => `admin-login:${admin.id}`;
export const totpTriesOf = (admin: { id: string }): string => `totp:${admin.id}`;
/** What an owner's reset clears. */
export const allAdminTriesOf = (admin: { id: string }): string[] => [
  adminLoginTriesOf(admin),
  adminTriesOf(admin),
  totpTriesOf(admin),
];

export const loginsOf = (
  deps: Pick<AccountsDeps, 'identityHash'>,
  { email, phone }: Pick<User, 'email' | 'phone'>,
): string[] => [email, phone].flatMap((login) => (login === null ? [] : loginTriesOf(deps, login)));

/** Leaves out addresses that the user only typed in: the tries there may be at someone else's account. */
export const provenLoginsOf = (
  deps: Pick<AccountsDeps, 'identityHash'>,
  { email, phone, email_proven_at, phone_proven_at }: User,
): string[] =>
  loginsOf(deps, {
    email: email_proven_at === null ? null : email,
    phone: phone_proven_at === null ? null : phone,
  });
