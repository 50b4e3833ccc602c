import { type Static, Type } from 'typebox';
import { Reason } from './billing.http.ts';
import { Count, Currency, Id, Instant, Nullable, PlanId, StrictObject } from './fields.ts';

/** As large as `PLAN_PRICES` allows. */
const PriceCents = Type.Integer({ minimum: 0, maximum: 9_999_999 });

/** Subscribers who pay an earlier price of a plan than new customers. */
export const PriceGroup = Type.Object({
  plan: PlanId,
  currency: Type.Optional(Currency),
  from_cents: Count,
  to_cents: Count,
  subscribers: Count,
  /** When the first and the last of them would pay the new price, if they were moved now. */
  first_at: Instant,
  last_at: Instant,
});
export type PriceGroup = Static<typeof PriceGroup>;

export const PriceMove = Type.Object({
  id: Id,
  plan: PlanId,
  currency: Type.Optional(Currency),
  from_cents: Count,
  to_cents: Count,
  reason: Type.String(),
  created_at: Instant,
  created_by: Type.String(),
  stopped_at: Nullable(Instant),
  /** Subscribers whose email isn't due yet. */
  planned: Count,
  /** Emailed; the new price isn't set yet. */
  announced: Count,
  /** The new price is set for their next renewal, or paid. */
  applied: Count,
  /** Chose to end their plan instead. */
  declined: Count,
  /** Left, changed plans, were moved again, or kept their price because the move was stopped. */
  dropped: Count,
});
export type PriceMove = Static<typeof PriceMove>;

export const PriceMoves = Type.Object({
  groups: Type.Array(PriceGroup),
  /** Newest first. */
  moves: Type.Array(PriceMove),
  /** Read by pages of the version before each row had its own. */
  currency: Currency,
});
export type PriceMoves = Static<typeof PriceMoves>;

/** If the price for new customers isn't `to_cents` anymore: 409 PRICES_CHANGED. */
export const MovePricesRequest = StrictObject({
  plan: PlanId,
  /** US dollars by default. */
  currency: Type.Optional(Currency),
  from_cents: PriceCents,
  to_cents: PriceCents,
  reason: Reason,
  /** Idempotency key. A repeated request starts nothing again. */
  request_key: Id,
});
export type MovePricesRequest = Static<typeof MovePricesRequest>;

export const StopMoveRequest = StrictObject({ reason: Reason });
