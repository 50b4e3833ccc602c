import type { ShownStatus, SubscriptionStatus } from './fields.ts';

/** Returns the status for admins. Free access may outlast a plan. */
export const shownStatusOf = (status: SubscriptionStatus, entitled: boolean): ShownStatus =>
  entitled && (status === 'expired' || status === 'canceled') ? 'free_access' : status;

/** Returns the status for the subscriber. Free access counts as active. */
export function ownStatusOf(status: SubscriptionStatus, entitled: boolean): SubscriptionStatus {
  const shown = shownStatusOf(status, entitled);
  return shown === 'free_access' ? 'active' : shown;
}
