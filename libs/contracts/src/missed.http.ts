import { type Static, Type } from 'typebox';
import { Count, Id, Instant, LocalDate, Nullable } from './fields.ts';

/**
 * Why a due subscriber got no daily text. `waiting`: may still get it. `failed`: accepted by the provider but not
 * delivered. `testing`: sent to the test number. The others are outcomes of texts.
 */
export const MissedOutcome = Type.Union([
  Type.Literal('waiting'),
  Type.Literal('missed'),
  Type.Literal('refused'),
  Type.Literal('failed'),
  Type.Literal('unknown'),
  Type.Literal('skipped'),
  Type.Literal('testing'),
]);
export type MissedOutcome = Static<typeof MissedOutcome>;

export const MissedQuery = Type.Object({
  /** Local date of the subscribers; defaults to the operators' today. */
  date: Type.Optional(LocalDate),
  /** Key of a group, to list its subscribers. */
  reason: Type.Optional(Type.String({ pattern: '^[a-z]{1,20}:[A-Za-z0-9_. -]{0,100}$' })),
  /** `next` of the previous page. */
  cursor: Type.Optional(Id),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
});
export type MissedQuery = Static<typeof MissedQuery>;

export const MissedGroup = Type.Object({
  key: Type.String(),
  outcome: MissedOutcome,
  reason: Nullable(Type.String()),
  /** The reason as a sentence. */
  words: Type.String(),
  people: Count,
  /** The count is higher than shown. */
  more: Type.Boolean(),
});
export type MissedGroup = Static<typeof MissedGroup>;

/** Name, email and phone are null after the account was deleted. */
export const MissedPerson = Type.Object({
  user_id: Id,
  name: Nullable(Type.String()),
  email: Nullable(Type.String()),
  phone: Nullable(Type.String()),
  timezone: Type.String(),
  due_at: Instant,
  ended_at: Nullable(Instant),
});
export type MissedPerson = Static<typeof MissedPerson>;

export const MissedTexts = Type.Object({
  date: LocalDate,
  groups: Type.Array(MissedGroup),
  people: Type.Array(MissedPerson),
  next: Nullable(Id),
});
export type MissedTexts = Static<typeof MissedTexts>;

/** Names and contacts by id, for lists of other services. */
export const PeopleQuery = Type.Object({
  ids: Type.String({
    pattern:
      '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(,[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}){0,99}$',
  }),
});
export const People = Type.Array(
  Type.Object({ id: Id, name: Type.String(), email: Type.String(), phone: Type.String() }),
);
export type People = Static<typeof People>;

/** Daily texts that a carrier didn't deliver. */
export const UndeliveredQuery = Type.Object({
  date: LocalDate,
  reason: Type.Optional(Type.String({ maxLength: 100 })),
  after: Type.Optional(Id),
  limit: Type.Integer({ minimum: 1, maximum: 101, default: 50 }),
});
export type UndeliveredQuery = Static<typeof UndeliveredQuery>;
export const Undelivered = Type.Object({
  groups: Type.Array(Type.Object({ reason: Type.String(), people: Count })),
  people: Type.Array(Type.Object({ user_id: Id, ended_at: Nullable(Instant) })),
});
export type Undelivered = Static<typeof Undelivered>;
