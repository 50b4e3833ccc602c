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
  /** 0 for somebody who has had a trial before: their plan starts paid. */
  trial_days: Count,
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
  /** With `paid`: whether the plan began with a free trial. */
  trial: Type.Optional(Type.Boolean()),
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

const PlanAction = Type.Union([
  Type.Literal('upgrade'),
  Type.Literal('switch'),
  Type.Literal('cancel'),
  Type.Literal('undo_cancel'),
  Type.Literal('portal'),
  /** A trial without a card goes on by POST /payments/create-checkout, and is paid from then on. */
  Type.Literal('checkout'),
]);
export type PlanAction = Static<typeof PlanAction>;

/** GET /users/me/plan, and the answer of every call that changes it. Amounts in cents of `currency`. */
export const PlanView = Type.Object({
  status: SubscriptionStatus,
  plan: PlanId,
  price_cents: Count,
  currency: Type.String(),
  trial_end_date: Nullable(Instant),
  current_period_end: Nullable(Instant),
  cancel_at_period_end: Type.Boolean(),
  /** What is charged next, credits already taken off; null when nothing will be. */
  next_charge: Nullable(Type.Object({ at: Instant, amount_cents: Count })),
  /** What stands to the person's credit and lowers the next bills. */
  credit_cents: Count,
  card: Nullable(Type.Object({ brand: Type.String(), last4: Type.String() })),
  /** What may be done now; every other action is answered with 409, or with the view where it is so already. */
  actions: Type.Array(PlanAction),
  /** The plan that `switch` leads to. */
  other_plan: PlanId,
});
export type PlanView = Static<typeof PlanView>;

/** GET /users/me/plan/preview: what an upgrade or a switch would cost. */
export const PlanPreviewQuery = Type.Object(
  {
    action: Type.Union([Type.Literal('upgrade'), Type.Literal('switch')]),
    plan: PlanId,
  },
  { additionalProperties: false },
);
export type PlanPreviewQuery = Static<typeof PlanPreviewQuery>;
export const PlanPreview = Type.Object({
  plan: PlanId,
  charge_now_cents: Count,
  /** What is put to the person's credit instead of being charged. */
  credit_cents: Count,
  next_charge: Nullable(Type.Object({ at: Instant, amount_cents: Count })),
  currency: Type.String(),
});
export type PlanPreview = Static<typeof PlanPreview>;

/**
 * POST /users/me/plan/upgrade (ends the trial and charges) and POST /users/me/plan/switch. With `charge_now_cents`, the
 * amount that was shown, it is refused with 409 PRICE_CHANGED when it is no longer the amount. A card that is refused is
 * 402 CARD_DECLINED, and nothing has changed.
 */
export const ChangePlanRequest = Type.Object(
  { plan: PlanId, charge_now_cents: Type.Optional(Count) },
  { additionalProperties: false },
);
export type ChangePlanRequest = Static<typeof ChangePlanRequest>;

/** POST /users/me/plan/portal: the provider's page for card and invoices. */
export const PortalRequest = Type.Object(
  { origin_url: Type.String({ minLength: 1, maxLength: 300 }) },
  { additionalProperties: false },
);
export type PortalRequest = Static<typeof PortalRequest>;
export const PortalResponse = Type.Object({ url: Type.String() });
export type PortalResponse = Static<typeof PortalResponse>;

/** GET /users/me/invoices, newest first. */
export const UserInvoice = Type.Object({
  id: Type.String(),
  issued_at: Instant,
  amount_cents: Type.Integer(),
  refunded_cents: Count,
  currency: Type.String(),
  status: Type.Union([
    Type.Literal('paid'),
    Type.Literal('open'),
    Type.Literal('refunded'),
    Type.Literal('void'),
  ]),
});
export type UserInvoice = Static<typeof UserInvoice>;
export const UserInvoiceList = Type.Array(UserInvoice);

/** GET /users/me/referrals: friends who came by the person's link. */
export const ReferralFigures = Type.Object({
  /** Signed up, not yet paid. */
  pending: Count,
  /** Their first payment brought a credit that still stands. */
  successful: Count,
  earned_cents: Count,
  currency: Type.String(),
});
export type ReferralFigures = Static<typeof ReferralFigures>;

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
