import { dayMs } from '@daylift/clock/durations';
import type { SubscriptionStatus } from '@daylift/contracts/fields';

const signupLifetimeMs = dayMs;

export interface CheckoutFacts {
  /** Of the user's subscription; null if there never was one. */
  subscription: { status: SubscriptionStatus; is_live: boolean } | null;
  registered_at: Date;
  /** Signed in as the user that the checkout is for. */
  is_owner: boolean;
}

export type CheckoutRefusal = 'already_subscribed' | 'still_subscribed' | 'signup_too_old';

/**
 * Why this user may not begin a checkout, or null. Without signing in, the id of a signup opens a checkout for a day and
 * only while nothing was bought; the owner may buy whenever there is nothing that goes on.
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
