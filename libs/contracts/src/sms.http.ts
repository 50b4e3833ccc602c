import { type Static, Type } from 'typebox';
import { Count, Id, Instant, LocalDate, Nullable, OneOf } from './fields.ts';

export const TextStatus = OneOf('queued', 'sent', 'delivered', 'failed', 'unknown');
export type TextStatus = Static<typeof TextStatus>;

export const HistoryQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 10 }),
  search: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  before: Type.Optional(Type.String({ pattern: '^[0-9]{8}-[0-9a-f]{32}$' })),
  /** Only texts of this date. */
  date: Type.Optional(LocalDate),
});
export type HistoryQuery = Static<typeof HistoryQuery>;
export const HistoryItem = Type.Object({
  id: Type.String(),
  kind: OneOf('daily', 'announcement'),
  message_content: Type.String(),
  sent_at: Instant,
  local_date: LocalDate,
  status: TextStatus,
});
export type HistoryItem = Static<typeof HistoryItem>;
export const History = Type.Array(HistoryItem);

/** Texts in a row. The unit is `days` if all of them are daily. */
const streakFields = { streak_days: Count, streak_unit: OneOf('days', 'texts') };
const Streak = Type.Object(streakFields);
export type Streak = Static<typeof Streak>;

/** Days and weeks are in the subscriber's time zone. */
export const UserAnalytics = Type.Object({
  total_messages: Count,
  week_messages: Count,
  month_messages: Count,
  daily_data: Type.Array(Type.Object({ date: LocalDate, count: Count })),
  ...streakFields,
});
export type UserAnalytics = Static<typeof UserAnalytics>;

export const CalendarQuery = Type.Object({
  /** `YYYY-MM`; defaults to the current month. */
  month: Type.Optional(Type.String({ pattern: '^2[0-9]{3}-(0[1-9]|1[0-2])$' })),
});
export const Calendar = Type.Object({
  month: Type.String(),
  today: LocalDate,
  /** Days with a text, or with one that should have been sent. */
  days: Type.Array(Type.Object({ date: LocalDate, status: TextStatus, in_streak: Type.Boolean() })),
  ...streakFields,
  first_month: Nullable(Type.String()),
});
export type Calendar = Static<typeof Calendar>;

/** The number that a subscriber's texts come from and that accepts START. */
export const OwnSender = Type.Object({ number: Type.String() });
export type OwnSender = Static<typeof OwnSender>;

export const BatchQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
});
/** Includes texts to the test number. Excludes texts that were superseded after a settings change. */
export const SmsBatch = Type.Object({
  id: Id,
  name: Type.String(),
  created_at: Instant,
  total_jobs: Count,
  completed_jobs: Count,
  failed_jobs: Count,
  /**
   * Not sent because their send window ended. Not in `failed_jobs` or the failure rate. Missing from the previous
   * version of sms-gateway.
   */
  missed_jobs: Type.Optional(Count),
  /** Not sent because of STOP. Not a failure. */
  opted_out_jobs: Count,
  /** Not sent on purpose: not eligible, or skipped by staff. Not a failure. */
  skipped_jobs: Count,
  status: OneOf('pending', 'processing', 'completed', 'failed', 'stopped'),
  /** Why the rest is held, and until when; until an operator resumes it if null. */
  stop: Nullable(Type.Object({ reason: Type.String(), resumes_at: Nullable(Instant) })),
  failure_rate: Type.Number(),
});
export type SmsBatch = Static<typeof SmsBatch>;
export const SmsBatchList = Type.Array(SmsBatch);

/** `total_cost` is in dollars, from receipts, without transactional texts. */
export const SmsStats = Type.Object({
  total_sent: Count,
  successful: Count,
  failed: Count,
  success_rate: Type.Number(),
  total_cost: Type.Number(),
});
export type SmsStats = Static<typeof SmsStats>;

export const QueueRun = Type.Object({ processed: Count, failed: Count, total: Count });
export type QueueRun = Static<typeof QueueRun>;

export const QueueFigures = Type.Object({ pending: Count, processing: Count });
export type QueueFigures = Static<typeof QueueFigures>;

/** Comma-separated ids of dispatches, and those of them that wait in the queue or are being sent. */
export const WaitingTextsQuery = Type.Object({ ids: Type.String({ maxLength: 5_000 }) });
export const WaitingTexts = Type.Array(Type.String());

/** Dollars per part from the latest receipt, for previews. */
export const TextPrice = Type.Object({
  per_part: Type.String(),
  currency: Type.String(),
  rate_per_second: Count,
});
export type TextPrice = Static<typeof TextPrice>;
