import { type Static, Type } from 'typebox';
import { SubscriptionState } from './billing.events.ts';
import { BilledDispute, StaffActionKind } from './billing.http.ts';
import { Count, Frequency, Id, Instant, LocalDate, Nullable, OneOf } from './fields.ts';
import { BatchKind, DispatchKind } from './scheduler.events.ts';
import { NoSendReason } from './sms.events.ts';
import { NumberLine, TimelineKinds } from './timeline.http.ts';

/** One service's events for a subscriber, newest first, at most `limit` per kind. accounts merges and words them. */
export const TimelinePartQuery = Type.Object({
  until: Type.Optional(Instant),
  limit: Type.Integer({ minimum: 1, maximum: 300, default: 50 }),
  kinds: TimelineKinds,
});
export type TimelinePartQuery = Static<typeof TimelinePartQuery>;

export const DayParams = Type.Object({
  id: Id,
  date: Type.String({ format: 'date', pattern: '^2' }),
});
export const DaySpan = Type.Object({ from: Instant, until: Instant });

/** A planned text. The sent text has the same id. */
export const PlannedText = Type.Object({
  id: Type.String(),
  local_date: LocalDate,
  kind: DispatchKind,
  state: Type.String(),
  reason: Nullable(Type.String()),
  due_at: Instant,
  timezone: Type.String(),
  delivery_hour: Nullable(Count),
  frequency: Nullable(Frequency),
  is_staff_send: Type.Boolean(),
  is_test: Type.Boolean(),
  /** Null for a library text, or while none is chosen. */
  message_title: Nullable(Type.String()),
  from_library: Type.Boolean(),
  /** Day of the sequence text, counted from the subscriber's first text. Absent in older versions. */
  sequence_day: Type.Optional(Nullable(Count)),
  batch: Nullable(Type.Object({ name: Type.String(), kind: BatchKind })),
  released_at: Nullable(Instant),
  settled_at: Nullable(Instant),
});
export type PlannedText = Static<typeof PlannedText>;
export const SchedulePart = Type.Object({ planned: Type.Array(PlannedText) });
export type SchedulePart = Static<typeof SchedulePart>;

export const Schedule = Type.Object({
  next_text_at: Nullable(Instant),
  local_date: Nullable(LocalDate),
  timezone: Nullable(Type.String()),
  /** `setting_up`: not planned or not known yet. */
  why_none: Nullable(Type.Union([NoSendReason, Type.Literal('setting_up')])),
  first_local_date: Nullable(LocalDate),
});
export type Schedule = Static<typeof Schedule>;

const Receipt = Type.Object({
  status: Type.String(),
  error_code: Nullable(Type.String()),
  occurred_at: Instant,
});

export const SentText = Type.Object({
  id: Type.String(),
  local_date: LocalDate,
  kind: Type.String(),
  state: Type.String(),
  reason: Nullable(Type.String()),
  error_code: Nullable(Type.String()),
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

export const OptOut = Type.Object({
  line: Type.Optional(Nullable(NumberLine)),
  last: Nullable(
    Type.Object({
      opted_out: Type.Boolean(),
      changed_at: Instant,
      source: Type.String(),
      /** Who opted them out on their behalf, and why. */
      admin: Type.Optional(Type.String()),
      note: Type.Optional(Type.String()),
    }),
  ),
});
export type OptOut = Static<typeof OptOut>;

export const SubscriptionSnapshot = Type.Object({
  version: Count,
  changed_at: Instant,
  actor: OneOf('subscriber', 'reply', 'provider', 'system'),
  /** The admin, if staff made the change. */
  staff: Type.Optional(Type.String()),
  ...Type.Omit(SubscriptionState, ['user_id', 'version']).properties,
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
  /** Set if an admin refunded it. */
  staff: Type.Optional(Type.Object({ admin: Type.String(), reason: Type.String() })),
});
export type BilledRefund = Static<typeof BilledRefund>;
export const BilledCredit = Type.Object({
  id: Type.String(),
  ...Money,
  outcome: Nullable(Type.String()),
  paid_at: Instant,
});
export type BilledCredit = Static<typeof BilledCredit>;
export const BilledLostDay = Type.Object({
  local_date: LocalDate,
  outcome: Type.String(),
  reason: Nullable(Type.String()),
  decision: OneOf('credited', 'trial', 'unpaid', 'over_limit', 'off'),
  credit_cents: Count,
  currency: Type.String(),
  settled_at: Instant,
});
export type BilledLostDay = Static<typeof BilledLostDay>;
export const StaffActionEntry = Type.Object({
  id: Id,
  kind: StaffActionKind,
  state: OneOf('pending', 'done', 'failed'),
  amount_cents: Nullable(Count),
  currency: Type.String(),
  days: Nullable(Count),
  until: Nullable(Instant),
  reason: Type.String(),
  admin: Type.String(),
  error: Nullable(Type.String()),
  at: Instant,
});
export type StaffActionEntry = Static<typeof StaffActionEntry>;
/** An announced price. */
export const PriceChangeEntry = Type.Object({
  from_cents: Count,
  to_cents: Count,
  currency: Type.String(),
  announced_at: Instant,
  effective_at: Instant,
  declined_at: Nullable(Instant),
  state: OneOf('announced', 'applied', 'dropped'),
});
export type PriceChangeEntry = Static<typeof PriceChangeEntry>;
export const RedeemedGiftEntry = Type.Object({
  id: Id,
  months: Count,
  at: Instant,
  /** End of the free time that it gave. */
  until: Instant,
  /** Its payment was refunded or disputed, so the free time ends early. */
  returned: Type.Optional(Type.Literal(true)),
});
export type RedeemedGiftEntry = Static<typeof RedeemedGiftEntry>;
export const BillingPart = Type.Object({
  changes: Type.Array(
    Type.Object({ after: SubscriptionSnapshot, before: Nullable(SubscriptionSnapshot) }),
  ),
  invoices: Type.Array(BilledInvoice),
  refunds: Type.Array(BilledRefund),
  /** Missing from the previous version of billing. */
  disputes: Type.Optional(Type.Array(BilledDispute)),
  credits: Type.Array(BilledCredit),
  /** Missing from the previous version of billing. */
  lost_days: Type.Optional(Type.Array(BilledLostDay)),
  staff_actions: Type.Optional(Type.Array(StaffActionEntry)),
  price_changes: Type.Optional(Type.Array(PriceChangeEntry)),
  gifts: Type.Optional(Type.Array(RedeemedGiftEntry)),
});
export type BillingPart = Static<typeof BillingPart>;

export const StandingQuery = Type.Object({ at: Instant });
export const Standing = Type.Object({
  /** False if the history doesn't go back that far. */
  known: Type.Boolean(),
  subscription: Nullable(SubscriptionSnapshot),
});
export type Standing = Static<typeof Standing>;
