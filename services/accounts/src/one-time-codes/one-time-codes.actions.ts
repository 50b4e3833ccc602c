import { randomUUID, timingSafeEqual } from 'node:crypto';
import { oneTimeCode } from '@daylift/server/one-time-code';
import type { AccountsDeps } from '../deps.ts';
import { countFailure } from '../sessions/login-tries.repository.ts';
import { countWrongCode, insertCodeAsk, lockOpenCode } from './one-time-codes.repository.ts';
import type { OneTimeCode } from './one-time-codes.table.ts';

const nobody = '00000000-0000-0000-0000-000000000000';

/** Notes that somebody wants a code: one row for everybody, so that the time it takes tells nothing. */
export function askForCode(deps: Pick<AccountsDeps, 'db'>, userId: string | null): Promise<void> {
  return insertCodeAsk(deps.db, { id: randomUUID(), user_id: userId, asked_at: new Date() });
}

/**
 * Answers the request whose code this is, while it is good. A wrong one costs the request a try, and counts against
 * `triesKey`, which is there for people whom we do not know too: the same look, the same commit.
 */
export function readCode(
  deps: Pick<AccountsDeps, 'db' | 'clock' | 'codeKey'>,
  given: { userId: string | null; code: string; triesKey: string },
): Promise<string | null> {
  return deps.db.transaction().execute(async (trx) => {
    const open = await lockOpenCode(trx, given.userId ?? nobody);
    const right = isSame(given.code, oneTimeCode(deps.codeKey, open?.request_id ?? nobody));
    if (open !== undefined && right && isGood(open, deps.clock.now())) return open.request_id;
    if (open !== undefined) await countWrongCode(trx, open.request_id);
    await countFailure(trx, given.triesKey, new Date());
    return null;
  });
}

const isGood = (code: OneTimeCode, now: Date): boolean =>
  code.tries_left > 0 && code.expires_at > now;

/** However the phone or the person spells six digits: full width, with blanks or hyphens between them. */
function isSame(typed: string, code: string): boolean {
  const digits = typed.normalize('NFKC').replaceAll(/[\s\p{Pd}\p{Cf}]/gu, '');
  return /^[0-9]{6}$/.test(digits) && timingSafeEqual(Buffer.from(digits), Buffer.from(code));
}
