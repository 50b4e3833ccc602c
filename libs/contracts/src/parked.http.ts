import { type Static, Type } from 'typebox';
import { Count, Id, Instant, Nullable } from './fields.ts';

/** Services with failed events. */
export const ParkingService = Type.Union([
  Type.Literal('accounts'),
  Type.Literal('billing'),
  Type.Literal('content'),
  Type.Literal('scheduler'),
  Type.Literal('sms-gateway'),
]);
export type ParkingService = Static<typeof ParkingService>;

/** `event`: from another service. `task`: call to the payment provider. `mail`, `text`: abandoned after many tries. */
export const ParkedKind = Type.Union([
  Type.Literal('event'),
  Type.Literal('task'),
  Type.Literal('mail'),
  Type.Literal('text'),
]);
export type ParkedKind = Static<typeof ParkedKind>;

export const ParkedItem = Type.Object({
  /** Kind and key, such as `event.0b9c…`; unique per service. */
  id: Type.String(),
  kind: ParkedKind,
  /** Type of the event, task, mail or text. */
  type: Type.String(),
  parked_at: Instant,
  tries: Count,
  /** Error of the last try, without numbers and addresses. */
  error: Type.String(),
  /** With personal data masked; null if unreadable. */
  payload: Type.Unknown(),
  user_id: Nullable(Id),
});
export type ParkedItem = Static<typeof ParkedItem>;

export const ParkedItems = Type.Object({ total: Count, items: Type.Array(ParkedItem) });
export type ParkedItems = Static<typeof ParkedItems>;

export const Parked = Type.Object({
  total: Count,
  items: Type.Array(Type.Object({ ...ParkedItem.properties, service: ParkingService })),
  /** Services that didn't respond; their items are missing. */
  unavailable: Type.Array(ParkingService),
});
export type Parked = Static<typeof Parked>;

export const ParkedParams = Type.Object({
  id: Type.String({ maxLength: 300, pattern: '^(event|task|mail|text)[.][!-~]+$' }),
});

export const ParkedOutcome = Type.Object({
  /** `parked`: failed again, with the new `error`. */
  outcome: Type.Union([
    Type.Literal('replayed'),
    Type.Literal('parked'),
    Type.Literal('discarded'),
  ]),
  error: Nullable(Type.String()),
});
export type ParkedOutcome = Static<typeof ParkedOutcome>;

export const ReplayAllRequest = Type.Object(
  { kind: ParkedKind, type: Type.String({ minLength: 1, maxLength: 100 }) },
  { additionalProperties: false },
);
export type ReplayAllRequest = Static<typeof ReplayAllRequest>;
export const ReplayAllResult = Type.Object({
  replayed: Count,
  parked: Count,
  /** Not tried, because the call ran out of time. */
  left: Count,
});
export type ReplayAllResult = Static<typeof ReplayAllResult>;
