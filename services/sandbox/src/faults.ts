import { type Static, Type } from 'typebox';
import type { Store } from './store.ts';

const Rate = Type.Number({ minimum: 0, maximum: 1 });
const Milliseconds = Type.Integer({ minimum: 0, maximum: 600_000 });
const Status = Type.Integer({ minimum: 400, maximum: 599 });
const strict = { additionalProperties: false } as const;
const perProvider = <T extends Type.TSchema>(schema: T) =>
  Type.Object({ stripe: schema, telnyx: schema }, strict);

/** An answer instead of the right one. Telnyx: `code` such as 40310. Stripe: `code` such as rate_limit. */
const ErrorAnswer = Type.Object(
  {
    code: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_]{1,60}$' })),
    /** Default: what the provider uses for that code. */
    status: Type.Optional(Status),
    retry_after: Type.Optional(Type.Integer({ minimum: 0, maximum: 86_400 })),
  },
  strict,
);

const RecipientFault = Type.Object(
  {
    ...ErrorAnswer.properties,
    /** The text is accepted and ends in this status (with `code` as its error) instead of being refused. */
    final: Type.Optional(
      Type.Union(
        (
          [
            'delivered',
            'delivery_failed',
            'sending_failed',
            'delivery_unconfirmed',
            'expired',
          ] as const
        ).map((status) => Type.Literal(status)),
      ),
    ),
    /** How often, then it heals; without it for good. */
    times: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  strict,
);

const RatedError = Type.Object({ rate: Rate, ...ErrorAnswer.properties }, strict);

/** Everything that can be made to go wrong; all off at the start. */
export const FaultSettings = Type.Object(
  {
    /** Each call waits so long before it is looked at. */
    latency_ms: perProvider(Milliseconds),
    /** 503 to every call; nothing is accepted. */
    stripe_down: Type.Boolean(),
    telnyx_down: Type.Boolean(),
    /** Share of calls refused before anything is accepted. */
    error: perProvider(RatedError),
    /** Share of POST calls carried out, then answered with a 5xx. */
    accept_then_error: perProvider(Rate),
    /** Share of POST calls carried out, then the connection is cut without an answer. */
    accept_then_drop: perProvider(Rate),
    /** POST calls are carried out at once and answered so much later. */
    accept_then_delay_ms: perProvider(Milliseconds),
    /** Telnyx only, by number in E.164. */
    recipients: Type.Record(Type.String({ pattern: '^\\+[1-9][0-9]{6,14}$' }), RecipientFault),
    telnyx: Type.Object(
      {
        /** Calls per second above which the API answers 429 / 10011. */
        rate_limit_per_second: Type.Integer({ minimum: 1 }),
        /** Texts per second that leave; the rest waits in the queue (`wait_seconds`). */
        sends_per_second: Type.Integer({ minimum: 1 }),
        /** HTTP status of the refusal because of STOP. */
        stop_status: Status,
        honour_idempotency_key: Type.Boolean(),
        /** Receipts leave before the answer to the send. */
        webhook_before_answer: Type.Boolean(),
        sent_after_ms: Milliseconds,
        finalized_after_ms: Milliseconds,
        /** Share of accepted texts that end as delivery_failed / 40008. */
        undelivered: Rate,
      },
      strict,
    ),
    stripe: Type.Object(
      {
        /** What a completed Checkout session with a trial reports; Stripe's documentation allows both. */
        trial_payment_status: Type.Union([
          Type.Literal('no_payment_required'),
          Type.Literal('paid'),
          Type.Literal('unpaid'),
        ]),
        /** The checkout page sends the browser back before any webhook has left. */
        redirect_first: Type.Boolean(),
        /** Every charge is declined with this code, such as insufficient_funds. */
        charge_decline: Type.Optional(Type.String({ pattern: '^[a-z_]{1,40}$' })),
        /** Days from one failed payment to the next try; after the last the subscription is canceled. */
        retry_days: Type.Array(Type.Integer({ minimum: 1, maximum: 30 }), { maxItems: 8 }),
      },
      strict,
    ),
    /** Both providers' webhooks. */
    webhook: Type.Object(
      {
        duplicate: Rate,
        duplicate_copies: Type.Integer({ minimum: 1, maximum: 10 }),
        /** Share held back until the next one about the same thing has gone out. */
        reorder: Rate,
        delay_ms: Milliseconds,
        /** Share that is never delivered and never retried. */
        drop: Rate,
        /** Share of attempts whose signature does not fit the body. */
        wrong_signature: Rate,
      },
      strict,
    ),
  },
  strict,
);
export type FaultSettings = Static<typeof FaultSettings>;
export type Provider = 'stripe' | 'telnyx';

export function noFaults(): FaultSettings {
  return {
    latency_ms: { stripe: 0, telnyx: 0 },
    stripe_down: false,
    telnyx_down: false,
    error: { stripe: { rate: 0 }, telnyx: { rate: 0 } },
    accept_then_error: { stripe: 0, telnyx: 0 },
    accept_then_drop: { stripe: 0, telnyx: 0 },
    accept_then_delay_ms: { stripe: 0, telnyx: 0 },
    recipients: {},
    telnyx: {
      rate_limit_per_second: 1_000,
      sends_per_second: 1_000,
      stop_status: 409,
      honour_idempotency_key: false,
      webhook_before_answer: false,
      sent_after_ms: 5,
      finalized_after_ms: 20,
      undelivered: 0,
    },
    stripe: {
      trial_payment_status: 'no_payment_required',
      redirect_first: false,
      retry_days: [3, 5, 7],
    },
    webhook: {
      duplicate: 0,
      duplicate_copies: 1,
      reorder: 0,
      delay_ms: 0,
      drop: 0,
      wrong_signature: 0,
    },
  };
}

/** The dials in force; they outlive a restart of the sandbox. */
export interface Faults {
  readonly current: FaultSettings;
  change(next: FaultSettings): void;
  /** True in `rate` of all asks. */
  hits(rate: number): boolean;
}

export function openFaults(store: Store): Faults {
  const saved = store.collection<FaultSettings>('faults');
  let current = saved.get('current') ?? noFaults();
  store.onReset(() => {
    current = noFaults();
  });
  return {
    get current() {
      return current;
    },
    change: (next) => {
      current = next;
      saved.put('current', next);
    },
    hits: (rate) => rate > 0 && Math.random() < rate,
  };
}
