import { type Static, Type } from 'typebox';
import { Count, Id, Instant, LocalDate, Nullable } from './fields.ts';

/** What a subscriber or an operator is shown of a text. */
export const TextStatus = Type.Union([
  Type.Literal('queued'),
  Type.Literal('sent'),
  Type.Literal('delivered'),
  Type.Literal('failed'),
  Type.Literal('unknown'),
]);
export type TextStatus = Static<typeof TextStatus>;

/** GET /users/me/sms-history, newest first. */
export const HistoryQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 10 }),
  /** Words that the text must hold, whatever their case. */
  search: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  /** Goes on behind the item with this id. */
  before: Type.Optional(Type.String({ pattern: '^[0-9]{8}-[0-9a-f]{32}$' })),
});
export type HistoryQuery = Static<typeof HistoryQuery>;
export const HistoryItem = Type.Object({
  id: Type.String(),
  message_content: Type.String(),
  sent_at: Instant,
  local_date: LocalDate,
  status: TextStatus,
});
export type HistoryItem = Static<typeof HistoryItem>;
export const History = Type.Array(HistoryItem);

/** GET /users/me/analytics; days and weeks are those of the subscriber's own zone. */
export const UserAnalytics = Type.Object({
  total_messages: Count,
  week_messages: Count,
  month_messages: Count,
  daily_data: Type.Array(Type.Object({ date: LocalDate, count: Count })),
  streak_days: Count,
});
export type UserAnalytics = Static<typeof UserAnalytics>;

/** GET /users/me/calendar: the days of one month of the subscriber's own zone on which a text came. */
export const CalendarQuery = Type.Object({
  /** `YYYY-MM`; without it the present month. */
  month: Type.Optional(Type.String({ pattern: '^2[0-9]{3}-(0[1-9]|1[0-2])$' })),
});
export type CalendarQuery = Static<typeof CalendarQuery>;
export const Calendar = Type.Object({
  month: Type.String(),
  /** Today in the subscriber's zone. */
  today: LocalDate,
  /** Only days with a text, each with how it fared; days of the present streak are marked. */
  days: Type.Array(Type.Object({ date: LocalDate, status: TextStatus, in_streak: Type.Boolean() })),
  streak_days: Count,
  /** Month of the very first text; null when there was none. */
  first_month: Nullable(Type.String()),
});
export type Calendar = Static<typeof Calendar>;

/** GET /admin/sms-batches */
export const BatchQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
});
export type BatchQuery = Static<typeof BatchQuery>;
export const SmsBatch = Type.Object({
  id: Id,
  name: Type.String(),
  created_at: Instant,
  total_jobs: Count,
  completed_jobs: Count,
  failed_jobs: Count,
  status: Type.Union([
    Type.Literal('pending'),
    Type.Literal('processing'),
    Type.Literal('completed'),
    Type.Literal('failed'),
  ]),
  /** Per cent of the finished ones; opt-outs do not count. */
  failure_rate: Type.Number(),
});
export type SmsBatch = Static<typeof SmsBatch>;
export const SmsBatchList = Type.Array(SmsBatch);

/**
 * GET /admin/sms-stats and the `sms` part of GET /admin/analytics. `total_cost` in dollars, from the provider's
 * receipts; transactional texts are not in it.
 */
export const SmsStats = Type.Object({
  total_sent: Count,
  successful: Count,
  failed: Count,
  /** Per cent of the sent ones. */
  success_rate: Type.Number(),
  total_cost: Type.Number(),
});
export type SmsStats = Static<typeof SmsStats>;

/** POST /admin/scheduler/process-queue */
export const QueueRun = Type.Object({ processed: Count, failed: Count, total: Count });
export type QueueRun = Static<typeof QueueRun>;

/** GET /internal/queue, for the scheduler's status. */
export const QueueFigures = Type.Object({ pending: Count, processing: Count });
export type QueueFigures = Static<typeof QueueFigures>;

/** GET /internal/price, for previews: dollars per part as the latest receipts have it. */
export const TextPrice = Type.Object({
  per_part: Type.String(),
  currency: Type.String(),
  /** Texts that leave in a second, at most. */
  rate_per_second: Count,
});
export type TextPrice = Static<typeof TextPrice>;
