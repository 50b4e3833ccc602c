import { randomUUID, timingSafeEqual } from 'node:crypto';
import { oneTimeCode } from '@daylift/server/one-time-code';
import type { AccountsDeps } from '../deps.ts';
import { countWrongCode, insertCodeRequest, lockOpenCode } from './one-time-codes.repository.ts';
import type { OneTimeCode } from './one-time-codes.table.ts';

const unknownId = '00000000-0000-0000-0000-000000000000';

/** Inserts one row for known and unknown users alike, so response times reveal nothing. */
export function enqueueCode(
  { db }: Pick<AccountsDeps, 'db'>,
  user_id: string | null,
  from_known = false,
): Promise<void> {
  return insertCodeRequest(db, { id: randomUUID(), user_id, asked_at: new Date(), from_known });
}

/**
 * Returns the request that an open code belongs to, or null. A wrong code counts against that code only, so guessing
 * blocks no later code, and apart for clients that the account is known at. Where there is no open code, a request of no one is written instead: a transaction that writes
 * nothing commits faster, which would reveal who has an account.
 */
export function readCode(
  deps: Pick<AccountsDeps, 'db' | 'clock' | 'codeKey'>,
  given: {
    userId: string | null;
    code: string;
    purpose: OneTimeCode['purpose'];
    fromKnown: boolean;
  },
): Promise<string | null> {
  return deps.db.transaction().execute(async (trx) => {
    const open = await lockOpenCode(trx, given.userId ?? unknownId, given.purpose);
    const request = open?.request_id ?? unknownId;
    const right = isSame(given.code, oneTimeCode(deps.codeKey, request));
    if (open !== undefined && right && isUsable(open, given.fromKnown, deps.clock.now()))
      return request;
    if (open === undefined) await enqueueCode({ db: trx }, null);
    else await countWrongCode(trx, request, given.fromKnown);
    return null;
  });
}

const isUsable = (code: OneTimeCode, fromKnown: boolean, now: Date): boolean =>
  (fromKnown ? code.known_tries_left : code.tries_left) > 0 && code.expires_at > now;

/** Accepts full-width digits, spaces and hyphens. */
function isSame(typed: string, code: string): boolean {
  const digits = typed.normalize('NFKC').replaceAll(/[\s\p{Pd}\p{Cf}]/gu, '');
  return /^[0-9]{6}$/.test(digits) && timingSafeEqual(Buffer.from(digits), Buffer.from(code));
}
