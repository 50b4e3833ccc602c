import { randomUUID } from 'node:crypto';
import { dayMs } from '@daylift/clock/durations';
import { accountsEvents } from '@daylift/contracts/accounts.events';
import { publish } from '@daylift/events/publish';
import type { Db } from '../database.ts';
import type { AccountsDeps } from '../deps.ts';
import {
  ConsentGranted,
  NoPhone,
  NotSubscribed,
  OptedOut,
  PhoneNeedsCode,
  SubscriptionEnded,
  TooManyConsentRequests,
} from '../errors.ts';
import { admitCall } from '../users/limited-calls.repository.ts';
import { hasEnded, hasSubscribed, type Session, signedIn } from '../users/users.actions.ts';
import { hasOtherRecipient, hasOtherSubscriber, lockUser } from '../users/users.repository.ts';
import type { User } from '../users/users.table.ts';

const aDay = { atMost: 3, withinMs: dayMs };

export async function requestConsent(deps: AccountsDeps, session: Session): Promise<void> {
  const now = deps.clock.now();
  await deps.db.transaction().execute(async (trx) => {
    const user = signedIn(await lockUser(trx, session.user_id), session);
    if (user.phone === null && user.pending_phone === null) throw new NoPhone();
    if (user.opted_out) throw new OptedOut();
    if (user.consent === 'granted' && user.pending_phone === null) throw new ConsentGranted();
    if (!hasSubscribed(user)) throw new NotSubscribed();
    if (hasEnded(user)) throw new SubscriptionEnded();
    if (await mustConfirmByCode(trx, user)) throw new PhoneNeedsCode();
    const call = { user_id: user.id, call: 'consent-request' as const };
    if (!(await admitCall(trx, call, { ...aDay, now }))) throw new TooManyConsentRequests();
    const request = {
      ...{ request_id: randomUUID(), user_id: user.id, recipient_version: user.version },
      asked_at: now.toISOString(),
    };
    await publish(trx, accountsEvents, 'accounts.consent.asked', request, now);
  });
}

/** A YES can't say which account it means, so sms-gateway doesn't ask (`must_confirm`, `findConsented`). */
export async function mustConfirmByCode(db: Db, user: User): Promise<boolean> {
  const { id, phone, pending_phone } = user;
  if (!hasSubscribed(user)) return false;
  if (pending_phone !== null) return hasOtherRecipient(db, pending_phone, id);
  if (user.consent !== 'pending' || phone === null || user.phone_proven_at !== null) return false;
  return hasOtherSubscriber(db, phone, id);
}
