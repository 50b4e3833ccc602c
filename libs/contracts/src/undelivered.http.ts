import { type Static, Type } from 'typebox';
import { Count, Id, IdList, Instant, LocalDate, Nullable, OneOf } from './fields.ts';
import { DispatchKind } from './scheduler.events.ts';

/**
 * Why a due subscriber got no text. `waiting`: may still get it. `failed`: accepted by the provider but not
 * delivered. `testing`: sent to the test number. The others are outcomes of texts.
 */
export const UndeliveredOutcome = OneOf(
  'waiting',
  'missed',
  'refused',
  'failed',
  'unknown',
  'skipped',
  'testing',
);
export type UndeliveredOutcome = Static<typeof UndeliveredOutcome>;

export const UndeliveredQuery = Type.Object({
  date: Type.Optional(LocalDate),
  reason: Type.Optional(Type.String({ pattern: '^[a-z-]{1,40}:[A-Za-z0-9_. -]{0,100}$' })),
  cursor: Type.Optional(Id),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
});
export type UndeliveredQuery = Static<typeof UndeliveredQuery>;

/** A daily text (even if sent manually) or an announcement. */
export const UndeliveredGroup = Type.Object({
  key: Type.String(),
  kind: DispatchKind,
  outcome: UndeliveredOutcome,
  reason: Nullable(Type.String()),
  words: Type.String(),
  people: Count,
  more: Type.Boolean(),
});
export type UndeliveredGroup = Static<typeof UndeliveredGroup>;

/** Name, email and phone are null after the account was deleted. */
export const UndeliveredSubscriber = Type.Object({
  user_id: Id,
  name: Nullable(Type.String()),
  email: Nullable(Type.String()),
  phone: Nullable(Type.String()),
  timezone: Type.String(),
  due_at: Instant,
  ended_at: Nullable(Instant),
});
export type UndeliveredSubscriber = Static<typeof UndeliveredSubscriber>;

export const UndeliveredTexts = Type.Object({
  date: LocalDate,
  /** Whether any text of that date was due. */
  was_due: Type.Boolean(),
  groups: Type.Array(UndeliveredGroup),
  people: Type.Array(UndeliveredSubscriber),
  next: Nullable(Id),
});
export type UndeliveredTexts = Static<typeof UndeliveredTexts>;

export const SubscriberContactsQuery = Type.Object({ ids: IdList });
export const SubscriberContacts = Type.Array(
  Type.Object({ id: Id, name: Type.String(), email: Type.String(), phone: Type.String() }),
);
export type SubscriberContacts = Static<typeof SubscriberContacts>;

export const FailedDeliveriesQuery = Type.Object({
  date: LocalDate,
  kind: Type.Optional(DispatchKind),
  reason: Type.Optional(Type.String({ maxLength: 100 })),
  after: Type.Optional(Id),
  limit: Type.Integer({ minimum: 1, maximum: 101, default: 50 }),
});
export type FailedDeliveriesQuery = Static<typeof FailedDeliveriesQuery>;
export const FailedDeliveries = Type.Object({
  has_texts: Type.Boolean(),
  /** Why nothing is being sent now. */
  stopped: Nullable(OneOf('frozen', 'paused')),
  groups: Type.Array(Type.Object({ reason: Type.String(), people: Count })),
  people: Type.Array(
    Type.Object({ user_id: Id, text_id: Type.String(), ended_at: Nullable(Instant) }),
  ),
});
export type FailedDeliveries = Static<typeof FailedDeliveries>;
