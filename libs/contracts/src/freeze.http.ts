import { type Static, Type } from 'typebox';
import { Count, Instant, Nullable } from './fields.ts';

/** Why sending rests because of the provider, in words for operators. */
export const ProviderPause = Type.Object({
  /** It refuses our account, or it answers nothing clear. */
  kind: Type.Union([Type.Literal('refuses'), Type.Literal('down')]),
  since: Instant,
  /** The provider's own code, such as `provider_20100`, or how it is down, such as `http_503`. */
  code: Type.String(),
  problem: Type.String(),
  advice: Type.String(),
  /** When one text tries whether it works again. */
  next_try_at: Instant,
});
export type ProviderPause = Static<typeof ProviderPause>;

/** GET /admin/freeze, and the answer to both calls that change it. */
export const FreezeState = Type.Object({
  frozen: Type.Boolean(),
  since: Nullable(Instant),
  /** The admin's user name. */
  by: Nullable(Type.String()),
  reason: Nullable(Type.String()),
  /** With the provider at this moment, without an answer yet. A freeze does not take them back. */
  in_flight: Count,
  /** Waiting to be sent now; from `countLimit` on there are at least so many. */
  queued: Count,
  /** Of those, how many fell due since the freeze began. */
  due_meanwhile: Count,
  /** Ended since the freeze began because their time was over. */
  missed_meanwhile: Count,
  /** Under way when the freeze began or after, and nobody knows whether they left. */
  unknown: Count,
  provider: Nullable(ProviderPause),
});
export type FreezeState = Static<typeof FreezeState>;

/** Counts that are shown all the time stop here. */
export const countLimit = 100_000;

/** POST /admin/freeze */
export const FreezeRequest = Type.Object(
  { reason: Type.Optional(Type.String({ maxLength: 200 })) },
  { additionalProperties: false },
);
export type FreezeRequest = Static<typeof FreezeRequest>;

/** POST /admin/freeze/lift */
export const LiftRequest = Type.Object(
  {
    /** What happens to texts that fell due meanwhile and are still inside their windows. */
    missed: Type.Union([Type.Literal('catch_up'), Type.Literal('skip')]),
    /** The freeze that is meant; without it, whichever there is. */
    since: Type.Optional(Instant),
  },
  { additionalProperties: false },
);
export type LiftRequest = Static<typeof LiftRequest>;

/** GET /admin/freeze/lift-preview: what waits now, and what would become of it. */
export const LiftPreview = Type.Object({
  /** Would go now. */
  catch_up: Count,
  /** With very many that wait the numbers are drawn from a sample of them. */
  is_estimate: Type.Boolean(),
  estimated_cost: Type.String(),
  currency: Type.String(),
  /** At the sender's rate. */
  drain_seconds: Count,
  /** Of those, how many have it outside 08:00-21:00 on their own clock, in the hour that they chose. */
  at_night: Count,
  /** Would go later today, at 08:00 on their own clock. */
  in_the_morning: Count,
  /** Ended since the freeze began, or about to: their time is over. */
  too_late: Count,
  /** Welcome texts, requests for a YES, codes and answers: they go in any case. */
  own_texts: Count,
});
export type LiftPreview = Static<typeof LiftPreview>;

/** POST /admin/send-pause/try: what came of one text. */
export const TryProviderResult = Type.Object({
  result: Type.Union([
    Type.Literal('works'),
    Type.Literal('refused'),
    /** Nothing waits that could try. */
    Type.Literal('nothing_to_try'),
  ]),
  provider: Nullable(ProviderPause),
});
export type TryProviderResult = Static<typeof TryProviderResult>;
