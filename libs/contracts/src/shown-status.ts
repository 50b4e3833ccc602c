import type { ShownStatus, SubscriptionStatus } from './fields.ts';

/** Returns the status for admins. Free access may outlast a plan. */
export const shownStatusOf = (status: SubscriptionStatus, entitled: boolean): ShownStatus =>
  entitled && (status === 'expired' || status === 'canceled') ? 'free_access' : status;
