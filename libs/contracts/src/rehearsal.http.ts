import { type Static, Type } from 'typebox';
import { Count, Id, Instant, LocalDate, Nullable } from './fields.ts';

/** GET /admin/rehearsal */
export const RehearsalQuery = Type.Object({
  hours: Type.Integer({ minimum: 1, maximum: 48, default: 48 }),
});
export type RehearsalQuery = Static<typeof RehearsalQuery>;

export const RehearsedHour = Type.Object({
  starts_at: Instant,
  /** Texts that will leave in this hour: one for each person, and one more for each announcement. */
  people: Count,
  estimated_cost: Type.String(),
  /** How long the sender needs for them, with what the hours before leave over. */
  drain_seconds: Count,
});
export type RehearsedHour = Static<typeof RehearsedHour>;

/** A date on the subscribers' own calendars. */
export const RehearsedDay = Type.Object({
  date: LocalDate,
  /** People who get their text of the day. */
  people: Count,
  /** Of those, how many get one of the library, because no message is scheduled or they had it already. */
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
  /** Null until the first one is done. */
  as_of: Nullable(Instant),
  /** Per cent of the one that is being computed; null when none is. */
  progress: Nullable(Type.Integer({ minimum: 0, maximum: 100 })),
  currency: Type.String(),
  rate_per_second: Count,
  hours: Type.Array(RehearsedHour),
  days: Type.Array(RehearsedDay),
  skipped: Type.Array(RehearsedSkip),
});
export type Rehearsal = Static<typeof Rehearsal>;

/** GET /admin/rehearsal/skipped: who they are. */
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
      /** The first of their texts that is skipped. */
      due_at: Instant,
    }),
  ),
  next: Nullable(Id),
});
export type RehearsedSkips = Static<typeof RehearsedSkips>;
