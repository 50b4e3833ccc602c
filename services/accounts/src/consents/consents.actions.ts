import { randomUUID } from 'node:crypto';
import { dayMs } from '@daylift/clock/durations';
import { accountsEvents } from '@daylift/contracts/accounts.events';
import { publish } from '@daylift/events/publish';
import type { AccountsDeps } from '../deps.ts';
import {
  ConsentGranted,
  NoPhone,
  NotSubscribed,
  OptedOut,
  SubscriptionEnded,
  TooManyConsentRequests,
} from '../errors.ts';
import { admitCall } from '../users/limited-calls.repository.ts';
import { hasEnded, hasSubscribed, type Session, signedIn } from '../users/users.actions.ts';
import { lockUser } from '../users/users.repository.ts';

const aDay = { atMost: 3, withinMs: dayMs };

/** Succeeds whether or not other accounts have the number, because anyone can enter any number. */
export async function requestConsent(deps: AccountsDeps, session: Session): Promise<void> {
  const now = deps.clock.now();
  await deps.db.transaction().execute(async (trx) => {
    const user = signedIn(await lockUser(trx, session.user_id), session);
    if (user.phone === null && user.pending_phone === null) throw new NoPhone();
    if (user.opted_out) throw new OptedOut();
    if (user.consent === 'granted' && user.pending_phone === null) throw new ConsentGranted();
    if (!hasSubscribed(user)) throw new NotSubscribed();
    if (hasEnded(user)) throw new SubscriptionEnded();
    const call = { user_id: user.id, call: 'consent-request' as const };
    if (!(await admitCall(trx, call, { ...aDay, now }))) throw new TooManyConsentRequests();
    const request = {
      ...{ request_id: randomUUID(), user_id: user.id, recipient_version: user.version },
      asked_at: now.toISOString(),
    };
    await publish(trx, accountsEvents, 'accounts.consent.asked', request, now);
  });
}
