import { type Static, Type } from 'typebox';
import { Reason } from './billing.http.ts';
import {
  Count,
  Currency,
  Email,
  Id,
  Instant,
  Nullable,
  OneOf,
  PersonName,
  StrictObject,
} from './fields.ts';
import { type GiftLength, giftLengths } from './plans.ts';

const Months = Type.Unsafe<GiftLength>(
  Type.Union(giftLengths.map((months) => Type.Literal(months))),
);

export const BuyGiftRequest = StrictObject({
  months: Months,
  buyer_name: PersonName,
  buyer_email: Email,
  /** Shown to the recipient. */
  gift_message: Type.Optional(Type.String({ maxLength: 300 })),
  /** The default currency unless one is given. */
  currency: Type.Optional(Currency),
  origin_url: Type.String({ minLength: 1, maxLength: 300 }),
});
export type BuyGiftRequest = Static<typeof BuyGiftRequest>;
export const GiftCheckout = Type.Object({ url: Type.String(), session_id: Type.String() });
export type GiftCheckout = Static<typeof GiftCheckout>;

/** A bearer secret, so it's never part of a URL that reaches a server. */
const GiftCode = Type.String({ minLength: 1, maxLength: 200 });
export const ReadGiftRequest = StrictObject({ gift_code: GiftCode });
export const GiftOffer = Type.Object({
  months: Months,
  buyer_name: Type.String(),
  message: Nullable(Type.String()),
});
export type GiftOffer = Static<typeof GiftOffer>;

export const RedeemGiftRequest = StrictObject({ gift_code: GiftCode, subscription_id: Id });
export type RedeemGiftRequest = Static<typeof RedeemGiftRequest>;
export const RedeemedGift = Type.Object({ months: Months, until: Instant });
export type RedeemedGift = Static<typeof RedeemedGift>;

export const EraseBuyerRequest = StrictObject({ reason: Reason });

export const Gift = Type.Object({
  id: Id,
  months: Months,
  /** `disputed`: includes lost disputes. `refunded`: in full. */
  state: OneOf('ready', 'redeemed', 'void', 'refunded', 'disputed'),
  buyer_name: Type.String(),
  buyer_email: Type.String(),
  /** With tax. */
  paid_cents: Count,
  currency: Type.String(),
  bought_at: Instant,
  redeemed_at: Nullable(Instant),
  redeemed_by: Nullable(Type.Object({ id: Id, name: Type.String() })),
});
export type Gift = Static<typeof Gift>;
export const GiftList = Type.Array(Gift);
