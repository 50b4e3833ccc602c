import { type Static, Type } from 'typebox';
import { Count, Instant, Nullable, OneOf, StrictObject } from './fields.ts';

export const ProviderPause = Type.Object({
  /** `refuses`: rejects our account. `down`: no clear response. */
  kind: OneOf('refuses', 'down'),
  since: Instant,
  /** Provider code such as `provider_20100`, or the failure such as `http_503`. */
  code: Type.String(),
  problem: Type.String(),
  advice: Type.String(),
  next_try_at: Instant,
});
export type ProviderPause = Static<typeof ProviderPause>;

export const FreezeState = Type.Object({
  frozen: Type.Boolean(),
  since: Nullable(Instant),
  by: Nullable(Type.String()),
  reason: Nullable(Type.String()),
  /** Sent to the provider, no response yet. A freeze can't recall them. */
  in_flight: Count,
  queued: Count,
  /** Of `queued`: became due during the freeze. */
  due_meanwhile: Count,
  missed_meanwhile: Count,
  unknown: Count,
  provider: Nullable(ProviderPause),
});
export type FreezeState = Static<typeof FreezeState>;

export const FreezeRequest = StrictObject({
  reason: Type.Optional(Type.String({ maxLength: 200 })),
});

export const LiftRequest = StrictObject({
  /** What to do with texts that became due during the freeze and can still be sent. */
  missed: OneOf('catch_up', 'skip'),
  since: Type.Optional(Instant),
});
export type LiftRequest = Static<typeof LiftRequest>;

export const LiftPreview = Type.Object({
  catch_up: Count,
  is_estimate: Type.Boolean(),
  estimated_cost: Type.String(),
  currency: Type.String(),
  drain_seconds: Count,
  /** Of `catch_up`: outside 08:00-21:00 local time, because the subscriber chose that hour. */
  at_night: Count,
  in_the_morning: Count,
  /** Would be skipped. Includes postponed texts, which wait for a retry or a held batch. */
  skip: Count,
  too_late: Count,
  own_texts: Count,
});
export type LiftPreview = Static<typeof LiftPreview>;

export const TryProviderResult = Type.Object({
  result: OneOf('works', 'refused', 'nothing_to_try'),
  provider: Nullable(ProviderPause),
});
export type TryProviderResult = Static<typeof TryProviderResult>;
