import { type Static, Type } from 'typebox';
import { Count, Id, Instant, Nullable, PlanId, SubscriptionStatus } from './fields.ts';

/** GET /plans: what every page prints of names, prices and the trial. */
export const PublicCatalogue = Type.Object({
  product_name: Type.String(),
  support_email: Type.String(),
  currency: Type.String(),
  trial_days: Count,
  /** What a referral earns, in cents. */
  referral_credit_cents: Count,
  plans: Type.Array(
    Type.Object({
      id: PlanId,
      name: Type.String(),
      price_cents: Count,
      interval: Type.Union([Type.Literal('month'), Type.Literal('year')]),
      /** Against twelve single months, in whole per cent; 0 for the monthly plan. */
      saving_percent: Count,
    }),
  ),
});
export type PublicCatalogue = Static<typeof PublicCatalogue>;

/** POST /payments/create-checkout; `subscription_id` is the id that the signup answered. */
export const CreateCheckoutRequest = Type.Object(
  { subscription_id: Id, plan: PlanId, origin_url: Type.String({ minLength: 1, maxLength: 300 }) },
  { additionalProperties: false },
);
export type CreateCheckoutRequest = Static<typeof CreateCheckoutRequest>;
export const CreateCheckoutResponse = Type.Object({
  url: Type.String(),
  session_id: Type.String(),
});
export type CreateCheckoutResponse = Static<typeof CreateCheckoutResponse>;

/** GET /payments/status/:session_id; whatever is not the id of a session of ours is unknown, so 404. */
export const PaymentStatusParams = Type.Object({
  session_id: Type.String({ minLength: 1, maxLength: 300 }),
});
export type PaymentStatusParams = Static<typeof PaymentStatusParams>;
export const PaymentStatus = Type.Object({
  payment_status: Type.Union([
    Type.Literal('paid'),
    Type.Literal('pending'),
    Type.Literal('expired'),
    Type.Literal('unpaid'),
  ]),
});
export type PaymentStatus = Static<typeof PaymentStatus>;

/** GET /users/me/subscription */
export const UserSubscription = Type.Object({
  status: SubscriptionStatus,
  plan: PlanId,
  trial_end_date: Nullable(Instant),
  current_period_end: Nullable(Instant),
  cancel_at_period_end: Type.Boolean(),
});
export type UserSubscription = Static<typeof UserSubscription>;

/** billing's part of GET /admin/analytics; `total` in units of the currency, `total_cents` exact. */
export const BillingFigures = Type.Object({
  subscriptions: Type.Object({ active: Count, trial: Count }),
  revenue: Type.Object({ total: Type.Number(), total_cents: Type.Integer(), transactions: Count }),
});
export type BillingFigures = Static<typeof BillingFigures>;

/** A row of GET /admin/subscriptions. */
export const AdminSubscription = Type.Object({
  user_id: Id,
  status: SubscriptionStatus,
  plan: PlanId,
  trial_end_date: Nullable(Instant),
  current_period_end: Nullable(Instant),
});
export type AdminSubscription = Static<typeof AdminSubscription>;
export const AdminSubscriptionList = Type.Array(AdminSubscription);
