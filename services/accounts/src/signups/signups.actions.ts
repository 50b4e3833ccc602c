import type { SignupRequest } from '@daylift/contracts/accounts.http';
import { recordConsent } from '../consents/consents.repository.ts';
import { signupWording } from '../consents/wording.ts';
import { isUniqueViolation } from '../database.ts';
import type { AccountsDeps } from '../deps.ts';
import { AccountExists, PasswordsDiffer } from '../errors.ts';
import { readReferralCode } from '../referrals/referral-code.ts';
import { findReferrer } from '../referrals/referrals.repository.ts';
import { publishNewUser, readNewUser } from '../users/new-user.ts';
import { existsUserWith, insertUser } from '../users/users.repository.ts';
import type { User } from '../users/users.table.ts';

/** From where a form was sent; part of the proof of consent. */
export interface Sender {
  ip: string;
  user_agent: string | null;
}

/** Makes the account, the proof of consent and the facts for the others, all or nothing. */
export async function signUp(
  deps: AccountsDeps,
  request: SignupRequest,
  sender: Sender,
): Promise<User> {
  if (request.confirmPassword !== undefined && request.confirmPassword !== request.password)
    throw new PasswordsDiffer();
  const now = deps.clock.now();
  const form = readNewUser(deps, request, now);
  // Only spares the hashing; of signups at the same moment the unique constraints decide.
  if (await existsUserWith(deps.db, form)) throw new AccountExists();
  const password_hash = await deps.hashing.hash(request.password);
  try {
    return await deps.db.transaction().execute(async (trx) => {
      const referrer_user_id = await findReferrer(trx, readReferralCode(request.ref ?? ''));
      const user = await insertUser(trx, { ...form, password_hash, referrer_user_id });
      if (user.consent === 'granted') {
        await recordConsent(trx, user, {
          source: 'signup',
          wording_version: signupWording,
          given_at: now,
          phone_hash: deps.identityHash(user.phone),
          ...sender,
        });
      }
      await publishNewUser(trx, deps, user, now);
      return user;
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw new AccountExists();
    throw error;
  }
}
