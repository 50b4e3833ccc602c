import { type Static, Type } from 'typebox';
import { Count, Id, Instant, Nullable } from './fields.ts';

/** Whoever keeps something that it could not do. */
export const ParkingService = Type.Union([
  Type.Literal('accounts'),
  Type.Literal('billing'),
  Type.Literal('content'),
  Type.Literal('scheduler'),
  Type.Literal('sms-gateway'),
]);
export type ParkingService = Static<typeof ParkingService>;

/** `event`: a fact of another service. `task`: work at the payment provider. `mail`, `text`: not sent after many tries. */
export const ParkedKind = Type.Union([
  Type.Literal('event'),
  Type.Literal('task'),
  Type.Literal('mail'),
  Type.Literal('text'),
]);
export type ParkedKind = Static<typeof ParkedKind>;

export const ParkedItem = Type.Object({
  /** Kind and key, such as `event.0b9c…`; unique within its service. */
  id: Type.String(),
  kind: ParkedKind,
  /** Of an event its type, of a task what it does, of a mail or a text what it is about. */
  type: Type.String(),
  parked_at: Instant,
  tries: Count,
  /** Why the last try failed, without numbers and addresses. */
  error: Type.String(),
  /** What it says, with everything personal masked; null where nothing of it can be read. */
  payload: Type.Unknown(),
  /** Of whom it speaks. */
  user_id: Nullable(Id),
});
export type ParkedItem = Static<typeof ParkedItem>;

/** GET /internal/parked: the oldest ones first. */
export const ParkedItems = Type.Object({ total: Count, items: Type.Array(ParkedItem) });
export type ParkedItems = Static<typeof ParkedItems>;

/** GET /admin/parked: of all services side by side. */
export const Parked = Type.Object({
  total: Count,
  items: Type.Array(Type.Object({ ...ParkedItem.properties, service: ParkingService })),
  /** Services that did not answer, so that theirs are missing. */
  unavailable: Type.Array(ParkingService),
});
export type Parked = Static<typeof Parked>;

export const ParkedParams = Type.Object({
  id: Type.String({ maxLength: 300, pattern: '^(event|task|mail|text)[.][!-~]+$' }),
});

/** POST /admin/parked/<service>/:id/replay and /discard. */
export const ParkedOutcome = Type.Object({
  /** `parked`: tried again in vain; `error` tells why now. */
  outcome: Type.Union([
    Type.Literal('replayed'),
    Type.Literal('parked'),
    Type.Literal('discarded'),
  ]),
  error: Nullable(Type.String()),
});
export type ParkedOutcome = Static<typeof ParkedOutcome>;

/** POST /admin/parked/<service>/replay-all */
export const ReplayAllRequest = Type.Object(
  { kind: ParkedKind, type: Type.String({ minLength: 1, maxLength: 100 }) },
  { additionalProperties: false },
);
export type ReplayAllRequest = Static<typeof ReplayAllRequest>;
export const ReplayAllResult = Type.Object({
  replayed: Count,
  /** Tried in vain. */
  parked: Count,
  /** Not tried any more within the time of one call. */
  left: Count,
});
export type ReplayAllResult = Static<typeof ReplayAllResult>;
