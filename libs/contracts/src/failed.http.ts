import { type Static, Type } from 'typebox';
import { Count, Id, Instant, Nullable, OneOf, StrictObject } from './fields.ts';

export const FailingService = OneOf('accounts', 'billing', 'content', 'scheduler', 'sms-gateway');
export type FailingService = Static<typeof FailingService>;

/** `event`: from another service. `task`: call to the payment provider. `mail`, `text`: abandoned after many tries. */
export const FailedKind = OneOf('event', 'task', 'mail', 'text');
export type FailedKind = Static<typeof FailedKind>;

export const FailedItem = Type.Object({
  /** Kind and key, such as `event.0b9c…`; unique per service. */
  id: Type.String(),
  kind: FailedKind,
  type: Type.String(),
  parked_at: Instant,
  tries: Count,
  /** Error of the last try, without numbers and addresses. */
  error: Type.String(),
  /** With personal data masked; null if unreadable. */
  payload: Type.Unknown(),
  user_id: Nullable(Id),
});

export const FailedItems = Type.Object({ total: Count, items: Type.Array(FailedItem) });
export type FailedItems = Static<typeof FailedItems>;

export const AllFailedItems = Type.Object({
  total: Count,
  items: Type.Array(Type.Object({ ...FailedItem.properties, service: FailingService })),
  unavailable: Type.Array(FailingService),
});
export type AllFailedItems = Static<typeof AllFailedItems>;

export const FailedParams = Type.Object({
  id: Type.String({ maxLength: 300, pattern: '^(event|task|mail|text)[.][!-~]+$' }),
});

export const ReplayOutcome = Type.Object({
  /** `parked`: failed again, with the new `error`. */
  outcome: OneOf('replayed', 'parked', 'discarded'),
  error: Nullable(Type.String()),
});
export type ReplayOutcome = Static<typeof ReplayOutcome>;

export const ReplayAllRequest = StrictObject({
  kind: FailedKind,
  type: Type.String({ minLength: 1, maxLength: 100 }),
});
export const ReplayAllResult = Type.Object({
  replayed: Count,
  parked: Count,
  left: Count,
});
export type ReplayAllResult = Static<typeof ReplayAllResult>;
