import { type Static, Type } from 'typebox';
import { Count, Id, Instant, Nullable } from './fields.ts';

export const SenderType = Type.Union([
  Type.Literal('toll_free'),
  Type.Literal('10dlc'),
  Type.Literal('short_code'),
  Type.Literal('alphanumeric'),
]);
export type SenderType = Static<typeof SenderType>;

/** A draining sender gets no new subscribers, and its subscribers move to another one with their next text. */
export const SenderState = Type.Union([
  Type.Literal('active'),
  Type.Literal('draining'),
  Type.Literal('paused'),
]);
export type SenderState = Static<typeof SenderState>;

const Limit = Type.Integer({ minimum: 1, maximum: 10_000_000 });
const Name = Type.String({ minLength: 1, maxLength: 60 });
const limits = {
  per_second: Type.Integer({ minimum: 1, maximum: 10_000 }),
  per_minute: Nullable(Limit),
  per_day: Nullable(Limit),
  /** 10DLC: AT&T limits a campaign per minute, T-Mobile a brand per day. */
  campaign: Nullable(Name),
  att_per_minute: Nullable(Limit),
  brand: Nullable(Name),
  tmobile_per_day: Nullable(Limit),
  weight: Type.Integer({ minimum: 1, maximum: 100 }),
};

export const NewSender = Type.Object(
  {
    number: Type.String({ minLength: 3, maxLength: 32 }),
    type: SenderType,
    country: Type.String({ pattern: '^[A-Z]{2}$' }),
    ...Type.Partial(Type.Object(limits)).properties,
  },
  { additionalProperties: false },
);
export type NewSender = Static<typeof NewSender>;

export const SenderChange = Type.Partial(Type.Object({ ...limits, state: SenderState }), {
  additionalProperties: false,
});
export type SenderChange = Static<typeof SenderChange>;

export const SenderParams = Type.Object({ number: Type.String({ minLength: 3, maxLength: 32 }) });

export const Sender = Type.Object({
  number: Type.String(),
  type: SenderType,
  country: Type.String(),
  state: SenderState,
  ...limits,
  /** A carrier refused texts over its limit, so the sender is slower until then. */
  slowed_until: Nullable(Instant),
  /** Texts that the limits allow in an hour. */
  per_hour: Count,
  /** Counted up to 10,000. */
  subscribers: Count,
  /** Since the full hour: texts accepted, and texts refused or with an unknown outcome. */
  sent: Count,
  failed: Count,
});
export type Sender = Static<typeof Sender>;

export const SenderLoadQuery = Type.Object(
  { user_ids: Type.Array(Id, { maxItems: 1_000 }) },
  { additionalProperties: false },
);
/** What a forecast needs to know about the pool and some subscribers. */
export const SenderLoad = Type.Object({
  account_per_second: Count,
  senders: Type.Array(
    Type.Object({
      ...Type.Pick(Sender, ['number', 'type', 'country', 'state', 'weight', 'per_hour']).properties,
      /** At most `count` texts in any `per_ms`. Senders with the same key share the limit. */
      rates: Type.Array(Type.Object({ key: Type.String(), count: Count, per_ms: Count })),
      /** Texts per day in Pacific time; `used` are today's. */
      days: Type.Array(Type.Object({ key: Type.String(), count: Count, used: Count })),
    }),
  ),
  /** By subscriber: a number, or no number for those who get one with their next text. */
  subscribers: Type.Record(
    Type.String(),
    Type.Object({ number: Nullable(Type.String()), country: Nullable(Type.String()) }),
  ),
});
export type SenderLoad = Static<typeof SenderLoad>;
export type ForecastSender = SenderLoad['senders'][number];

export const SenderPool = Type.Object({ account_per_second: Count, senders: Type.Array(Sender) });
export type SenderPool = Static<typeof SenderPool>;
