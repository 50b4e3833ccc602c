import { waitInWords } from '@daylift/server/wait-in-words';
import type { Transaction } from 'kysely';
import type { AccountsDatabase } from '../database.ts';
import type { AccountsDeps } from '../deps.ts';
import { TooManyTries } from '../errors.ts';
import { admitTry, countFailure, forgetTries, releaseTry } from './login-tries.repository.ts';

/** One try, counted and limited; equally long whether there is a password to compare with or not. */
export async function tryPassword(
  deps: AccountsDeps,
  key: string,
  password: string,
  password_hash: string | null | undefined,
  afterFailure?: (trx: Transaction<AccountsDatabase>, failures: number) => Promise<void>,
): Promise<boolean> {
  await takeTry(deps, key);
  let right: boolean;
  try {
    right = await deps.hashing.verify(password, password_hash ?? null);
  } catch (error) {
    await releaseTry(deps.db, key);
    throw error;
  }
  if (right) await forgetTries(deps.db, key);
  else
    await deps.db.transaction().execute(async (trx) => {
      const failures = await countFailure(trx, key, new Date());
      await afterFailure?.(trx, failures);
    });
  return right;
}

/** Takes the place of one try, or says how long to wait for one. */
export async function takeTry(deps: Pick<AccountsDeps, 'db'>, key: string): Promise<void> {
  const waitMs = await admitTry(deps.db, key, new Date());
  if (waitMs > 0) throw new TooManyTries(waitInWords(waitMs));
}

/** Under what the tries at somebody's password are counted, wherever they type it. */
export const triesOf = (user: { id: string }): string => `user:${user.id}`;
export const adminTriesOf = (admin: { id: string }): string => `admin:${admin.id}`;
/** And those at their codes, apart from each other: who guesses at the one does not lock out from the other. */
export const codeTriesOf = (key: string): string => `code:${key}`;
