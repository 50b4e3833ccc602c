import { randomUUID } from 'node:crypto';
import { accountsEvents } from '@daylift/contracts/accounts.events';
import type { SignupRequest } from '@daylift/contracts/accounts.http';
import { publish } from '@daylift/events/publish';
import { recordConsent } from '../consents/consents.repository.ts';
import { signupWording } from '../consents/wording.ts';
import { isUniqueViolation } from '../database.ts';
import type { AccountsDeps } from '../deps.ts';
import { AccountExists, PasswordsDiffer } from '../errors.ts';
import { readReferralCode } from '../referrals/referral-code.ts';
import { findReferrer } from '../referrals/referrals.repository.ts';
import { canonicalEmail } from '../users/email-address.ts';
import { weekdayOfTomorrow } from '../users/local-dates.ts';
import { readPersonName } from '../users/person-name.ts';
import { readTimeZone } from '../users/time-zone.ts';
import { publishUser, signupFactsOf } from '../users/user-events.ts';
import { existsUserWith, insertUser } from '../users/users.repository.ts';
import type { NewUser, User } from '../users/users.table.ts';

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
  const form = readForm(deps, request, now);
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
      const facts = signupFactsOf(user, deps.identityHash);
      await publish(trx, accountsEvents, 'accounts.user.registered', facts, now);
      await publishUser(trx, user, now);
      return user;
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw new AccountExists();
    throw error;
  }
}

/** What the form says, in the one spelling that is stored. */
function readForm(deps: AccountsDeps, request: SignupRequest, now: Date) {
  const timezone = readTimeZone(request.timezone);
  const frequency = request.delivery_frequency ?? 'daily';
  return {
    id: randomUUID(),
    name: readPersonName(request.name),
    email: canonicalEmail(request.email),
    phone: deps.readPhone(request.phone),
    timezone,
    delivery_hour: Number(request.delivery_time.slice(0, 2)),
    frequency,
    weekday: frequency === 'weekly' ? weekdayOfTomorrow(now, timezone) : null,
    plan: request.plan ?? 'monthly',
    consent: request.sms_consent === true ? 'granted' : 'pending',
    registered_at: now,
  } satisfies Partial<NewUser>;
}
