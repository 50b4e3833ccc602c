import { type Static, Type } from 'typebox';
import { AdminAction } from './admin-action.ts';
import { Count, Id, Instant, Nullable, PlanId, SubscriptionStatus } from './fields.ts';

/** A user's subscription as a whole; consumers keep the newest `version`. */
export const SubscriptionState = Type.Object({
  user_id: Id,
  version: Type.Integer({ minimum: 1 }),
  status: SubscriptionStatus,
  plan: PlanId,
  trial_end: Nullable(Instant),
  current_period_end: Nullable(Instant),
  cancel_at_period_end: Type.Boolean(),
  /** Whether texts may be sent; only billing decides. */
  entitled: Type.Boolean(),
  /** End of `entitled`; null while unknown. */
  entitled_until: Nullable(Instant),
  /** First time this user was entitled. The first text comes on the next local day. */
  entitled_since: Nullable(Instant),
  /** Staff made this change, so the person may not expect a text. */
  by_staff: Type.Optional(Type.Boolean()),
});
export type SubscriptionState = Static<typeof SubscriptionState>;

export const billingEvents = {
  'billing.subscription.changed': SubscriptionState,
  /** Number of friends whose first payments count now; the newest `version` wins. */
  'billing.referrals.changed': Type.Object({
    user_id: Id,
    version: Type.Integer({ minimum: 1 }),
    successful: Count,
  }),
  /** The START of `at` restored the renewal that STOP had ended. */
  'billing.renewal.restored': Type.Object({ user_id: Id, renews_at: Instant, at: Instant }),
  'billing.checkout.opened': Type.Object({ user_id: Id, expires_at: Instant }),
  /** A month's figures, formatted for people and published once. `previous` is the month before. */
  'billing.month.closed': Type.Object({
    month: Type.String({ pattern: '^\\d{4}-\\d{2}$' }),
    figures: Type.Array(
      Type.Object({ name: Type.String(), value: Type.String(), previous: Type.String() }),
    ),
  }),
  'billing.admin.acted': AdminAction,
};
