import { type Static, Type } from 'typebox';
import { AdminUser } from './accounts.http.ts';
import { BilledDispute, PlanView, UserInvoice } from './billing.http.ts';
import { Count, Id, Instant, LocalDate, Nullable, OneOf, Weekday } from './fields.ts';

/** Parts whose service was unavailable; the rest is still returned. */
export const MissingPart = OneOf('schedule', 'texts', 'billing');
export type MissingPart = Static<typeof MissingPart>;
const missing = Type.Array(MissingPart);

/** What the provider knows about a number. */
export const NumberLine = Type.Object({
  type: Nullable(Type.String()),
  carrier: Nullable(Type.String()),
});

export const AdminSubscriber = Type.Object({
  ...AdminUser.properties,
  today: LocalDate,
  /** New contact data that isn't proven yet. */
  pending_email: Nullable(Type.String()),
  pending_phone: Nullable(Type.String()),
  unreachable_since: Nullable(Instant),
  /** Null until the provider has looked the number up. */
  number_line: Nullable(NumberLine),
  delivery_weekday: Nullable(Weekday),
  paused_until: Nullable(LocalDate),
  referral_code: Nullable(Type.String()),
  referral_count: Count,
  referred_by: Nullable(Type.Object({ id: Id, name: Type.String() })),
  consents: Type.Array(
    Type.Object({
      source: Type.String(),
      wording_version: Type.String(),
      given_at: Instant,
      for_present_number: Type.Boolean(),
      ip: Nullable(Type.String()),
      user_agent: Nullable(Type.String()),
    }),
  ),
  last_opt_out: Nullable(
    Type.Object({
      opted_out: Type.Boolean(),
      changed_at: Instant,
      source: Type.String(),
      /** Who opted them out on their behalf, and why. */
      admin: Type.Optional(Type.String()),
      note: Type.Optional(Type.String()),
    }),
  ),
  next_text_at: Nullable(Instant),
  why_no_next_text: Nullable(Type.String()),
  history_since: Instant,
  missing,
});
export type AdminSubscriber = Static<typeof AdminSubscriber>;

export const AdminSubscription = Type.Object({
  ...Type.Omit(PlanView, ['actions', 'other_plan']).properties,
  started_at: Nullable(Instant),
  invoices: Type.Array(UserInvoice),
  /** Absent from the previous version of billing. */
  disputes: Type.Optional(Type.Array(BilledDispute)),
});
export type AdminSubscription = Static<typeof AdminSubscription>;

export const TimelineKind = OneOf('texts', 'decisions', 'replies', 'payments', 'changes');
export type TimelineKind = Static<typeof TimelineKind>;
export const timelineKinds: readonly TimelineKind[] = TimelineKind.anyOf.map((one) => one.const);

const kind = `(${timelineKinds.join('|')})`;
export const TimelineKinds = Type.String({ maxLength: 60, pattern: `^${kind}(,${kind})*$` });

export const TimelineQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
  before: Type.Optional(
    Type.String({
      maxLength: 120,
      pattern: '^2\\d{3}-\\d{2}-\\d{2}T[0-9:.]+Z~[A-Za-z]+:[A-Za-z0-9_:-]+$',
    }),
  ),
  kinds: Type.Optional(TimelineKinds),
});
export type TimelineQuery = Static<typeof TimelineQuery>;

export const TimelineEntry = Type.Object({
  id: Type.String(),
  kind: TimelineKind,
  at: Instant,
  local_date: LocalDate,
  tone: OneOf('good', 'bad', 'plain'),
  title: Type.String(),
  detail: Nullable(Type.String()),
  quote: Nullable(Type.String()),
  by: Nullable(Type.String()),
  steps: Type.Array(Type.Object({ at: Instant, what: Type.String() })),
});
export type TimelineEntry = Static<typeof TimelineEntry>;
export const Timeline = Type.Object({
  timezone: Type.String(),
  entries: Type.Array(TimelineEntry),
  next: Nullable(Type.String()),
  missing,
});
export type Timeline = Static<typeof Timeline>;

/** What happened to the text of a day, as explained to the subscriber. */
export const OwnDay = Type.Object({
  date: LocalDate,
  verdict: OneOf('got_it', 'did_not', 'to_come', 'not_known'),
  explanation: Type.String(),
});
export type OwnDay = Static<typeof OwnDay>;

export const DayAnswer = Type.Object({
  local_date: LocalDate,
  verdict: OneOf('got_it', 'did_not', 'to_come', 'not_known'),
  answer: Type.String(),
  because: Type.Array(Type.String()),
  /** State when that day's text was, or would have been, due. */
  facts_then: Type.Array(Type.Object({ label: Type.String(), value: Type.String() })),
  entries: Type.Array(TimelineEntry),
  missing,
});
export type DayAnswer = Static<typeof DayAnswer>;
