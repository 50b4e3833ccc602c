import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Store } from './store.ts';

const Rate = Type.Number({ minimum: 0, maximum: 1, default: 0 });
const Milliseconds = (byDefault = 0) =>
  Type.Integer({ minimum: 0, maximum: 600_000, default: byDefault });
const Status = Type.Integer({ minimum: 400, maximum: 599 });
const Off = Type.Boolean({ default: false });
const strict = { additionalProperties: false } as const;
const perProvider = <T extends Type.TSchema>(schema: T) =>
  Type.Object({ stripe: schema, telnyx: schema }, strict);

/** An error response. `code` is such as 40310 for Telnyx, or rate_limit for Stripe. */
const ErrorResponse = Type.Object(
  {
    code: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_]{1,60}$' })),
    /** Default: what the provider uses for that code. */
    status: Type.Optional(Status),
    /** Default: what the provider uses for that code. Telnyx only. */
    title: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    retry_after: Type.Optional(Type.Integer({ minimum: 0, maximum: 86_400 })),
  },
  strict,
);

const FinalStatus = Type.Enum([
  'delivered',
  'delivery_failed',
  'sending_failed',
  'delivery_unconfirmed',
  'expired',
]);
export type FinalStatus = Static<typeof FinalStatus>;

const RecipientFault = Type.Object(
  {
    ...ErrorResponse.properties,
    /** Accepts the text and ends it in this status, with `code` as its error. */
    final: Type.Optional(FinalStatus),
    /** How many sends it affects; default all. */
    times: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  strict,
);

const RatedError = Type.Object({ rate: Rate, ...ErrorResponse.properties }, strict);

/** The fault dials; the defaults are all off. */
export const FaultSettings = Type.Object(
  {
    /** How long each call waits before it is processed. */
    latency_ms: perProvider(Milliseconds()),
    /** Responds with 503 to every call and accepts nothing. */
    stripe_down: Off,
    telnyx_down: Off,
    /** Share of calls rejected before anything is accepted. */
    error: perProvider(RatedError),
    /** Share of POST calls executed, then failed with a 5xx. */
    accept_then_error: perProvider(Rate),
    /** Share of POST calls executed, then dropped without a response. */
    accept_then_drop: perProvider(Rate),
    /** Delay between executing a POST call and its response. */
    accept_then_delay_ms: perProvider(Milliseconds()),
    /** Telnyx only, by number in E.164. */
    recipients: Type.Record(Type.String({ pattern: '^\\+[1-9][0-9]{6,14}$' }), RecipientFault, {
      default: {},
    }),
    /** What a lookup says about a number in E.164; others are mobile. */
    line_types: Type.Record(
      Type.String({ pattern: '^\\+[1-9][0-9]{6,14}$' }),
      Type.Enum(['mobile', 'fixed line', 'voip', 'toll free']),
      { default: {} },
    ),
    telnyx: Type.Object(
      {
        /** Calls per second above which the API responds 429 / 10011. */
        rate_limit_per_second: Type.Integer({ minimum: 1, default: 10_000 }),
        /** Texts per second that leave; more wait in the queue (`wait_seconds`). */
        sends_per_second: Type.Integer({ minimum: 1, default: 10_000 }),
        /** Returns the first text for a send with a known Idempotency-Key. */
        honour_idempotency_key: Off,
        /** Sends the receipts before the response to the send. */
        webhook_before_answer: Off,
        sent_after_ms: Milliseconds(5),
        finalized_after_ms: Milliseconds(20),
        /** Share of accepted texts that end as delivery_failed / 40008. */
        undelivered: Rate,
      },
      strict,
    ),
    stripe: Type.Object(
      {
        /** What a completed Checkout session with a trial reports; Stripe's documentation allows both. */
        trial_payment_status: Type.Enum(['no_payment_required', 'paid', 'unpaid'], {
          default: 'no_payment_required',
        }),
        /** Every charge is declined with this code, such as insufficient_funds. */
        charge_decline: Type.Optional(Type.String({ pattern: '^[a-z_]{1,40}$' })),
        /** Days from one failed payment to the next attempt; after the last the subscription is canceled. */
        retry_days: Type.Array(Type.Integer({ minimum: 1, maximum: 30 }), {
          maxItems: 8,
          default: [3, 5, 7],
        }),
      },
      strict,
    ),
    /** Both providers' webhooks. */
    webhook: Type.Object(
      {
        duplicate: Rate,
        duplicate_copies: Type.Integer({ minimum: 1, maximum: 10, default: 1 }),
        /** Share held back until the next one about the same object has been sent. */
        reorder: Rate,
        delay_ms: Milliseconds(),
        /** Share that is never delivered and never retried. */
        drop: Rate,
        /** Share of attempts whose signature does not match the body. */
        wrong_signature: Rate,
      },
      strict,
    ),
  },
  strict,
);
export type FaultSettings = Static<typeof FaultSettings>;
export type Provider = 'stripe' | 'telnyx';

export const noFaults = (): FaultSettings => Value.Create(FaultSettings);

export type Faults = ReturnType<typeof openFaults>;

/** The current dials, which survive a restart of the sandbox. */
export function openFaults(store: Store) {
  const saved = store.collection<FaultSettings>('faults');
  // An earlier version stored fewer dials.
  const stored = Value.Clean(FaultSettings, saved.get('current')) as Partial<FaultSettings>;
  let current = Value.Default(FaultSettings, { ...noFaults(), ...stored }) as FaultSettings;
  store.onReset(() => {
    current = noFaults();
  });
  return {
    get current() {
      return current;
    },
    change: (next: FaultSettings) => {
      current = next;
      saved.put('current', next);
    },
    /** Returns true for a share of `rate` of its calls. */
    hits: (rate: number) => rate > 0 && Math.random() < rate,
  };
}
