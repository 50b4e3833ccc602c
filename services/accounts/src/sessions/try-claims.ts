import { formatWait } from '@daylift/server/format-wait';
import type { AccountsDeps } from '../deps.ts';
import { TooManyTries } from '../errors.ts';
import { admitTry, forgetTries, releaseTry } from '../login-tries/login-tries.repository.ts';
import { narrowLimit, wideLimit } from '../login-tries/login-tries.ts';
import { type AfterFailure, settleTries, takeTry } from '../login-tries/try-password.ts';
import { type Claim, maxClaims } from './claims.repository.ts';
import { rememberClient } from './known-clients.repository.ts';

/**
 * Tries a password at a login that several accounts may claim: the password decides which one is meant. Takes the same
 * statements and hashes for any number of claims.
 */
export async function tryClaims<Account extends { id: string; password_hash: string | null }>(
  deps: AccountsDeps,
  { key, clientHash }: { key: string; clientHash: string },
  password: string,
  claims: Claim<Account>[],
  afterFailure?: AfterFailure,
): Promise<Account | null> {
  const fromClient = { key: `${key}|${clientHash}`, limit: narrowLimit };
  const fromAnywhere = { key, limit: wideLimit };
  // A try over this limit doesn't count toward the overall limit.
  await takeTry(deps, fromClient.key);
  const waitMs = await admitTry(deps.db, key, new Date(), wideLimit);
  // Guesses from elsewhere must not lock out the clients that an account was used from.
  const admitted = waitMs === 0 ? claims : claims.filter((claim) => claim.is_known_client);
  if (waitMs > 0 && admitted.length === 0) {
    await releaseTry(deps.db, fromClient.key);
    throw new TooManyTries(formatWait(waitMs));
  }
  const found = await settleTries(
    deps,
    waitMs === 0 ? [fromClient, fromAnywhere] : [fromClient],
    () => verifyClaims(deps, password, admitted),
    // The right password of one claim must not clear the guesses at another.
    { afterSuccess: claims.length > 1 ? releaseTry : forgetTries, afterFailure },
  );
  if (found !== null) await rememberClient(deps.db, found.id, clientHash);
  return found;
}

/** Always verifies the same number of hashes, because the time would reveal how many claims there are. */
async function verifyClaims<Account extends { password_hash: string | null }>(
  deps: Pick<AccountsDeps, 'hashing'>,
  password: string,
  claims: Account[],
): Promise<Account | null> {
  let found: Account | null = null;
  for (let index = 0; index < maxClaims; index += 1) {
    const claim = claims[index];
    const isRight = await deps.hashing.verify(password, claim?.password_hash ?? null);
    if (isRight && claim !== undefined) found ??= claim;
  }
  return found;
}
