import { type Static, Type } from 'typebox';
import { Count, Id, Instant, LocalDate, Nullable } from './fields.ts';

export const RehearsalQuery = Type.Object({
  hours: Type.Integer({ minimum: 1, maximum: 48, default: 48 }),
});
export type RehearsalQuery = Static<typeof RehearsalQuery>;

export const RehearsedHour = Type.Object({
  starts_at: Instant,
  /** Texts sent in this hour: one per subscriber, plus one per announcement. */
  people: Count,
  estimated_cost: Type.String(),
  /** Time to send them, including a backlog from earlier hours. */
  drain_seconds: Count,
});
export type RehearsedHour = Static<typeof RehearsedHour>;

/** A local date of the subscribers. */
export const RehearsedDay = Type.Object({
  date: LocalDate,
  people: Count,
  /** Of these, from the library: no message is scheduled, or they already had it. */
  from_library: Count,
  has_message: Type.Boolean(),
});
export type RehearsedDay = Static<typeof RehearsedDay>;

export const RehearsedSkip = Type.Object({
  key: Type.String(),
  words: Type.String(),
  people: Count,
});
export type RehearsedSkip = Static<typeof RehearsedSkip>;

export const Rehearsal = Type.Object({
  /** Null until the first run completes. */
  as_of: Nullable(Instant),
  /** Percent done of the current run; null if none. */
  progress: Nullable(Type.Integer({ minimum: 0, maximum: 100 })),
  currency: Type.String(),
  rate_per_second: Count,
  hours: Type.Array(RehearsedHour),
  days: Type.Array(RehearsedDay),
  skipped: Type.Array(RehearsedSkip),
});
export type Rehearsal = Static<typeof Rehearsal>;

export const RehearsedSkipsQuery = Type.Object({
  reason: Type.String({ pattern: '^[a-z]{1,20}:[A-Za-z0-9_. -]{0,100}$' }),
  cursor: Type.Optional(Id),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
});
export type RehearsedSkipsQuery = Static<typeof RehearsedSkipsQuery>;
export const RehearsedSkips = Type.Object({
  people: Type.Array(
    Type.Object({
      user_id: Id,
      name: Nullable(Type.String()),
      email: Nullable(Type.String()),
      phone: Nullable(Type.String()),
      /** The first skipped text. */
      due_at: Instant,
    }),
  ),
  next: Nullable(Id),
});
export type RehearsedSkips = Static<typeof RehearsedSkips>;
