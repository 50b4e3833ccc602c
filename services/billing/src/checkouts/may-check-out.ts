import { dayMs } from '@daylift/clock/durations';
import { AlreadySubscribed, SignupTooOld, StillSubscribed } from '../errors.ts';
import type { Subscription } from '../subscriptions/subscriptions.repository.ts';

const signupLifetimeMs = dayMs;

interface Facts {
  /** The user's subscription, or null if there never was one. */
  subscription: Pick<Subscription, 'status' | 'is_live'> | null;
  registered_at: Date;
  /** Signed in as the checkout's user. */
  is_owner: boolean;
}

/**
 * Returns the error that says why this user may not start a checkout, or null. Without a session, a signup's id opens a
 * checkout for a day and only before the first purchase; the owner may buy whenever no subscription continues.
 */
export function checkoutRefusal(
  { subscription, registered_at, is_owner }: Facts,
  now: Date,
): Error | null {
  if (!is_owner) {
    if (subscription !== null) return new AlreadySubscribed();
    const age = now.getTime() - registered_at.getTime();
    return age >= signupLifetimeMs ? new SignupTooOld() : null;
  }
  return subscription?.is_live && subscription.status !== 'expired' ? new StillSubscribed() : null;
}
