import { type Static, Type } from 'typebox';
import {
  Count,
  Frequency,
  Id,
  Instant,
  LocalDate,
  Nullable,
  PlanId,
  SubscriptionStatus,
} from './fields.ts';
import { BatchKind, DispatchKind } from './scheduler.events.ts';
import { NoSendReason } from './sms.events.ts';
import { TimelineKinds } from './timeline.http.ts';

/**
 * GET /internal/timeline/:id of each service: its own facts of one subscriber, newest first, at most `limit` of each sort.
 * accounts puts the parts together and finds the words.
 */
export const TimelinePartQuery = Type.Object({
  /** Not later than this. */
  until: Type.Optional(Instant),
  limit: Type.Integer({ minimum: 1, maximum: 300, default: 50 }),
  /** Of these kinds alone. */
  kinds: TimelineKinds,
});
export type TimelinePartQuery = Static<typeof TimelinePartQuery>;

/** GET /internal/days/:id/:date: everything that belongs to one local date of theirs. */
export const DayParams = Type.Object({
  id: Id,
  date: Type.String({ format: 'date', pattern: '^2' }),
});
export type DayParams = Static<typeof DayParams>;
/** When that date begins and ends for them: what has an instant and no date of its own is found by it. */
export const DaySpan = Type.Object({ from: Instant, until: Instant });
export type DaySpan = Static<typeof DaySpan>;

/** What the scheduler planned for a date. The text that it was handed over as has the same id. */
export const PlannedText = Type.Object({
  id: Type.String(),
  local_date: LocalDate,
  kind: DispatchKind,
  state: Type.String(),
  reason: Nullable(Type.String()),
  due_at: Instant,
  timezone: Type.String(),
  /** Null for a staff send or an announcement. */
  delivery_hour: Nullable(Count),
  frequency: Nullable(Frequency),
  is_staff_send: Type.Boolean(),
  is_test: Type.Boolean(),
  /** Null where the library gave the words, or nothing is chosen yet. */
  message_title: Nullable(Type.String()),
  from_library: Type.Boolean(),
  batch: Nullable(Type.Object({ name: Type.String(), kind: BatchKind })),
  released_at: Nullable(Instant),
  settled_at: Nullable(Instant),
});
export type PlannedText = Static<typeof PlannedText>;
export const SchedulePart = Type.Object({ planned: Type.Array(PlannedText) });
export type SchedulePart = Static<typeof SchedulePart>;

/** GET /internal/schedule/:id: what comes next for a subscriber. */
export const Schedule = Type.Object({
  next_text_at: Nullable(Instant),
  local_date: Nullable(LocalDate),
  timezone: Nullable(Type.String()),
  /** Why nothing comes; `setting_up`: it is not planned yet, or not known yet. */
  why_none: Nullable(Type.Union([NoSendReason, Type.Literal('setting_up')])),
  /** The local date of their very first text. */
  first_local_date: Nullable(LocalDate),
});
export type Schedule = Static<typeof Schedule>;

const Receipt = Type.Object({
  status: Type.String(),
  error_code: Nullable(Type.String()),
  /** When it happened, by the provider's word. */
  occurred_at: Instant,
});

/** One text as sms-gateway has it, to its last receipt. */
export const SentText = Type.Object({
  id: Type.String(),
  local_date: LocalDate,
  kind: Type.String(),
  state: Type.String(),
  reason: Nullable(Type.String()),
  error_code: Nullable(Type.String()),
  /** As it was worded for the person, without codes. */
  content: Type.String(),
  is_test: Type.Boolean(),
  batch: Nullable(Type.Object({ name: Type.String(), kind: BatchKind })),
  due_at: Instant,
  queued_at: Instant,
  attempts: Count,
  handed_at: Nullable(Instant),
  settled_at: Nullable(Instant),
  finalized_at: Nullable(Instant),
  parts: Nullable(Count),
  cost: Nullable(Type.String()),
  currency: Nullable(Type.String()),
  receipts: Type.Array(Receipt),
});
export type SentText = Static<typeof SentText>;
export const Reply = Type.Object({
  id: Type.String(),
  content: Type.String(),
  meaning: Type.String(),
  received_at: Instant,
});
export type Reply = Static<typeof Reply>;
export const TextsPart = Type.Object({ texts: Type.Array(SentText), replies: Type.Array(Reply) });
export type TextsPart = Static<typeof TextsPart>;

/** GET /internal/opt-out/:id: what their number last said, STOP or START; null for none. */
export const OptOut = Type.Object({
  last: Nullable(
    Type.Object({ opted_out: Type.Boolean(), changed_at: Instant, source: Type.String() }),
  ),
});
export type OptOut = Static<typeof OptOut>;

/** A subscription as it was from one moment on. */
export const SubscriptionSnapshot = Type.Object({
  version: Count,
  changed_at: Instant,
  actor: Type.Union([
    Type.Literal('subscriber'),
    Type.Literal('reply'),
    Type.Literal('provider'),
    Type.Literal('system'),
  ]),
  status: SubscriptionStatus,
  plan: PlanId,
  trial_end: Nullable(Instant),
  current_period_end: Nullable(Instant),
  cancel_at_period_end: Type.Boolean(),
  entitled: Type.Boolean(),
  entitled_until: Nullable(Instant),
  entitled_since: Nullable(Instant),
});
export type SubscriptionSnapshot = Static<typeof SubscriptionSnapshot>;

const Money = { amount_cents: Type.Integer(), currency: Type.String() };
export const BilledInvoice = Type.Object({
  id: Type.String(),
  ...Money,
  status: Type.String(),
  attempts: Count,
  created_at: Instant,
  paid_at: Nullable(Instant),
});
export type BilledInvoice = Static<typeof BilledInvoice>;
export const BilledRefund = Type.Object({
  id: Type.String(),
  ...Money,
  status: Type.String(),
  created_at: Instant,
});
export type BilledRefund = Static<typeof BilledRefund>;
/** For a friend's first payment. */
export const BilledCredit = Type.Object({
  id: Type.String(),
  ...Money,
  outcome: Nullable(Type.String()),
  paid_at: Instant,
});
export type BilledCredit = Static<typeof BilledCredit>;
export const BillingPart = Type.Object({
  /** Each with the one before it, which says what became different. */
  changes: Type.Array(
    Type.Object({ after: SubscriptionSnapshot, before: Nullable(SubscriptionSnapshot) }),
  ),
  invoices: Type.Array(BilledInvoice),
  refunds: Type.Array(BilledRefund),
  credits: Type.Array(BilledCredit),
});
export type BillingPart = Static<typeof BillingPart>;

/** GET /internal/standing/:id?at=: the subscription as it was then. */
export const StandingQuery = Type.Object({ at: Instant });
export type StandingQuery = Static<typeof StandingQuery>;
export const Standing = Type.Object({
  /** False where the history does not reach back so far. */
  known: Type.Boolean(),
  /** Null: there was none yet. */
  subscription: Nullable(SubscriptionSnapshot),
});
export type Standing = Static<typeof Standing>;
