import { clientNetwork } from '@daylift/server/client-network';
import { waitInWords } from '@daylift/server/wait-in-words';
import type { Transaction } from 'kysely';
import type { AccountsDatabase } from '../database.ts';
import type { AccountsDeps } from '../deps.ts';
import { TooManyTries } from '../errors.ts';
import type { User } from '../users/users.table.ts';
import { isKnownClient, rememberClient } from './known-clients.repository.ts';
import { admitTry, countFailure, forgetTries, releaseTry } from './login-tries.repository.ts';
import { narrowLimit, type TryLimit, wideLimit } from './login-tries.ts';

type AfterFailure = (trx: Transaction<AccountsDatabase>, failures: number) => Promise<void>;

/** One try, counted and limited; equally long whether there is a password to compare with or not. */
export async function tryPassword(
  deps: AccountsDeps,
  key: string,
  password: string,
  password_hash: string | null | undefined,
  afterFailure?: AfterFailure,
): Promise<boolean> {
  const look = () => deps.hashing.verify(password, password_hash ?? null);
  return (
    (await countTry(deps, key, async () => ((await look()) ? true : null), { afterFailure })) ??
    false
  );
}

/** The same for a login that several accounts may claim: the password decides which one is meant. */
export async function tryClaims<Account extends { id: string; password_hash: string | null }>(
  deps: AccountsDeps,
  tried: { key: string; ip: string },
  password: string,
  claims: Account[],
  afterFailure?: AfterFailure,
): Promise<Account | null> {
  const { key } = tried;
  const client = deps.identityHash(clientNetwork(tried.ip));
  const fromHere = `${key}|${client}`;
  const [claim, ...others] = claims;
  const known = deps.identityHash(`${claim?.id}|${client}`);
  // Over the limit here, a try does not count towards the limit of everyone.
  await takeTry(deps, fromHere);
  const look = async () => {
    if (claims.length === 0) await deps.hashing.verify(password, null);
    for (const one of claims)
      if (await deps.hashing.verify(password, one.password_hash)) return one;
    return null;
  };
  try {
    // The right password of one claim must not clear the guesses at another.
    const isOnly = others.length === 0;
    const settle = isOnly ? forgetTries : releaseTry;
    const isKnown = isOnly && (await isKnownClient(deps.db, known));
    const counting = { limit: wideLimit, alsoAt: fromHere, settle, afterFailure };
    // Guesses from elsewhere must not lock out the clients that an account was used from.
    const found = await countTry(deps, isKnown ? `${fromHere}|known` : key, look, counting);
    if (found === null) return null;
    await settle(deps.db, fromHere);
    if (isOnly) await rememberClient(deps.db, known);
    return found;
  } catch (error) {
    await releaseTry(deps.db, fromHere);
    throw error;
  }
}

async function countTry<T>(
  deps: AccountsDeps,
  key: string,
  look: () => Promise<T | null>,
  counting: {
    afterFailure?: AfterFailure | undefined;
    limit?: TryLimit;
    alsoAt?: string;
    settle?: typeof forgetTries;
  },
): Promise<T | null> {
  const { afterFailure, limit = narrowLimit, alsoAt, settle = forgetTries } = counting;
  await takeTry(deps, key, limit);
  let found: T | null;
  try {
    found = await look();
  } catch (error) {
    await releaseTry(deps.db, key);
    throw error;
  }
  if (found !== null) await settle(deps.db, key);
  else
    await deps.db.transaction().execute(async (trx) => {
      if (alsoAt !== undefined) await countFailure(trx, alsoAt, new Date());
      const failures = await countFailure(trx, key, new Date(), limit);
      await afterFailure?.(trx, failures);
    });
  return found;
}

/** Takes the place of one try, or says how long to wait for one. */
export async function takeTry(
  deps: Pick<AccountsDeps, 'db'>,
  key: string,
  limit = narrowLimit,
): Promise<void> {
  const waitMs = await admitTry(deps.db, key, new Date(), limit);
  if (waitMs > 0) throw new TooManyTries(waitInWords(waitMs));
}

/** Returns the key that counts the tries at a user's password, wherever it is typed. */
export const triesOf = (user: { id: string }): string => `user:${user.id}`;
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
