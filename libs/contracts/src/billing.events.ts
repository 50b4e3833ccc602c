import { type Static, Type } from 'typebox';
import { AdminAction } from './admin-action.ts';
import { Count, Id, Instant, Nullable, PlanId, SubscriptionStatus } from './fields.ts';

/** A user's subscription as a whole; a consumer keeps the newest `version` of a user. */
export const SubscriptionState = Type.Object({
  user_id: Id,
  version: Type.Integer({ minimum: 1 }),
  status: SubscriptionStatus,
  plan: PlanId,
  trial_end: Nullable(Instant),
  current_period_end: Nullable(Instant),
  cancel_at_period_end: Type.Boolean(),
  /** Whether texts may be sent; decided by billing alone. */
  entitled: Type.Boolean(),
  /** With `entitled`: until then; null while it has no known end. */
  entitled_until: Nullable(Instant),
  /** The first instant at which this user was ever entitled; the first text comes on the next local day. */
  entitled_since: Nullable(Instant),
});
export type SubscriptionState = Static<typeof SubscriptionState>;

export const billingEvents = {
  'billing.subscription.changed': SubscriptionState,
  /** How many friends' first payments count for this referrer now; the newest `version` wins. */
  'billing.referrals.changed': Type.Object({
    user_id: Id,
    version: Type.Integer({ minimum: 1 }),
    successful: Count,
  }),
  /** Until then the signup can still be paid. */
  'billing.checkout.opened': Type.Object({ user_id: Id, expires_at: Instant }),
  'billing.admin.acted': AdminAction,
};
