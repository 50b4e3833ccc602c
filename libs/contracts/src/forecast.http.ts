import { type Static, Type } from 'typebox';
import { Count, Id, Instant, LocalDate, Nullable } from './fields.ts';
import { UndeliveredSubscriber } from './undelivered.http.ts';

export const ForecastQuery = Type.Object({
  hours: Type.Integer({ minimum: 1, maximum: 48, default: 48 }),
});

const drained = {
  /** Time to send the hour's texts, including a backlog from earlier hours. */
  drain_seconds: Count,
  /** Texts sent more than an hour after they're due. */
  late: Count,
  /** Texts not sent: their deadline passes, or a daily limit is reached. */
  missed: Count,
};

export const ForecastSenderHour = Type.Object({
  /** Null for texts that no sender may send. */
  number: Nullable(Type.String()),
  texts: Count,
  /** Texts that the sender's limits allow in an hour. */
  per_hour: Count,
  ...drained,
});
export type ForecastSenderHour = Static<typeof ForecastSenderHour>;

export const ForecastHour = Type.Object({
  starts_at: Instant,
  /** Texts sent in this hour: one per subscriber, plus one per announcement. */
  people: Count,
  estimated_cost: Type.String(),
  /** Of the slowest sender. */
  drain_seconds: drained.drain_seconds,
  /** These are missing from the previous version of the scheduler. */
  late: Type.Optional(Count),
  missed: Type.Optional(Count),
  senders: Type.Optional(Type.Array(ForecastSenderHour)),
});
export type ForecastHour = Static<typeof ForecastHour>;

export const ForecastDay = Type.Object({
  date: LocalDate,
  people: Count,
  /** Of these, from the library: no message is scheduled, or they already had it. */
  from_library: Count,
  has_message: Type.Boolean(),
});
export type ForecastDay = Static<typeof ForecastDay>;

export const ForecastSkip = Type.Object({
  key: Type.String(),
  words: Type.String(),
  people: Count,
});
export type ForecastSkip = Static<typeof ForecastSkip>;

export const Forecast = Type.Object({
  as_of: Nullable(Instant),
  progress: Nullable(Type.Integer({ minimum: 0, maximum: 100 })),
  currency: Type.String(),
  rate_per_second: Count,
  hours: Type.Array(ForecastHour),
  days: Type.Array(ForecastDay),
  skipped: Type.Array(ForecastSkip),
});
export type Forecast = Static<typeof Forecast>;

export const ForecastSkipsQuery = Type.Object({
  reason: Type.String({ pattern: '^[a-z]{1,20}:[A-Za-z0-9_. -]{0,100}$' }),
  cursor: Type.Optional(Id),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
});
export type ForecastSkipsQuery = Static<typeof ForecastSkipsQuery>;
export const ForecastSkips = Type.Object({
  people: Type.Array(
    Type.Pick(UndeliveredSubscriber, ['user_id', 'name', 'email', 'phone', 'due_at']),
  ),
  next: Nullable(Id),
});
export type ForecastSkips = Static<typeof ForecastSkips>;
