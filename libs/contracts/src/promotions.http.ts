import { type Static, Type } from 'typebox';
import { Count, Currency, Id, Instant, Nullable, OneOf, PlanId, StrictObject } from './fields.ts';

export const PromotionCode = Type.String({ minLength: 1, maxLength: 60 });
export const PromotionParams = Type.Object({ code: PromotionCode });
export const OfferQuery = StrictObject({
  plan: PlanId,
  /** Checks whether this signup may use the code, too. */
  subscription_id: Type.Optional(Id),
  /** The visitor's currency. Ignored with `subscription_id`, because a signup has its own. */
  currency: Type.Optional(Currency),
});

/** The price that a code gives, as shown before the checkout and charged by it. */
export const PromotionOffer = Type.Object({
  code: Type.String(),
  plan: PlanId,
  /** Includes the code's free days; 0 after an earlier trial. */
  trial_days: Count,
  /** The first payment. */
  first_cents: Count,
  /** 0 for free days, null for every payment. */
  discounted_payments: Nullable(Count),
  /** After the trial, in words: "$2.49 for the first month, then $4.99 a month". */
  price: Type.String(),
  currency: Currency,
});
export type PromotionOffer = Static<typeof PromotionOffer>;

const terms = {
  kind: OneOf('percent', 'amount', 'free_days'),
  /** In percent, cents or days. */
  value: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  /** Months with the discount: 1 is the first payment only, null every payment. Ignored for free days. */
  months: Nullable(Type.Integer({ minimum: 1, maximum: 36 })),
  plan: Nullable(PlanId),
  max_uses: Nullable(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  /** For accounts, emails and phones without an earlier trial or payment. Always the case for free days. */
  first_time_only: Type.Boolean(),
};

export const CreatePromotionRequest = StrictObject({
  ...terms,
  /** Currency of an amount-off code, which works only for subscribers who pay in it. US dollars by default. */
  currency: Type.Optional(Currency),
  code: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9-]{2,29}$' }),
  /** The last day, in the operators' time zone. The end of 9999 isn't a valid instant. */
  expires_on: Nullable(Type.String({ format: 'date', pattern: '^(?!0000|9999)' })),
  /** Idempotency key. A repeated request returns what the first one created. */
  request_key: Id,
});
export type CreatePromotionRequest = Static<typeof CreatePromotionRequest>;

export const Promotion = Type.Object({
  id: Id,
  code: Type.String(),
  ...terms,
  /** In words: "50% off the first payment". */
  gives: Type.String(),
  state: OneOf('active', 'expired', 'used_up', 'inactive'),
  expires_at: Nullable(Instant),
  created_at: Instant,
  created_by: Type.String(),
  /** The signup page with the code. */
  url: Type.String(),
  uses: Count,
  /** Uses that have led to a payment. */
  paying: Count,
  /** Payments of the subscriptions that started with it, minus refunds. */
  revenue_cents: Type.Integer(),
  /** What those payments were reduced by. */
  discount_cents: Count,
  currency: Type.String(),
  /** Revenue and discounts in other currencies. */
  others: Type.Optional(
    Type.Array(
      Type.Object({
        currency: Type.String(),
        revenue_cents: Type.Integer(),
        discount_cents: Count,
      }),
    ),
  ),
});
export type Promotion = Static<typeof Promotion>;
export const PromotionList = Type.Array(Promotion);
