import { dayMs } from '@daylift/clock/durations';
import type { SubscriptionStatus } from '@daylift/contracts/fields';

const signupLifetimeMs = dayMs;

export interface CheckoutFacts {
  /** The user's subscription, or null if there never was one. */
  subscription: { status: SubscriptionStatus; is_live: boolean } | null;
  registered_at: Date;
  /** Signed in as the checkout's user. */
  is_owner: boolean;
}

export type CheckoutRefusal = 'already_subscribed' | 'still_subscribed' | 'signup_too_old';

/**
 * Returns why this user may not start a checkout, or null. Without a session, a signup's id opens a checkout for a day
 * and only before the first purchase; the owner may buy whenever no subscription continues.
 */
export function checkoutRefusal(facts: CheckoutFacts, now: Date): CheckoutRefusal | null {
  const { subscription } = facts;
  if (!facts.is_owner) {
    if (subscription !== null) return 'already_subscribed';
    const age = now.getTime() - facts.registered_at.getTime();
    return age >= signupLifetimeMs ? 'signup_too_old' : null;
  }
  return subscription?.is_live && subscription.status !== 'expired' ? 'still_subscribed' : null;
}
