import { type Static, Type } from 'typebox';
import { Count, Email, Id, Instant, LocalDate, Nullable } from './fields.ts';

/** GET and POST /admin/settings/testing-mode. `enabled_at`, `enabled_by`: since when it is on, and by whom. */
export const TestingModeRequest = Type.Object(
  {
    enabled: Type.Boolean(),
    /** Asked for when it is switched on; without it the number stays as it is. */
    test_phone: Type.Optional(Nullable(Type.String({ maxLength: 32 }))),
  },
  { additionalProperties: false },
);
export type TestingModeRequest = Static<typeof TestingModeRequest>;
export const TestingModeSettings = Type.Object({
  testing_mode_enabled: Type.Boolean(),
  test_phone_number: Nullable(Type.String()),
  enabled_at: Nullable(Instant),
  enabled_by: Nullable(Type.String()),
});
export type TestingModeSettings = Static<typeof TestingModeSettings>;

/** GET and POST /admin/settings/alert-email. Enabled only with an address. */
export const AlertSettingsRequest = Type.Object(
  {
    email: Type.Union([Email, Type.Literal('')]),
    failure_threshold: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
    enabled: Type.Boolean(),
  },
  { additionalProperties: false },
);
export type AlertSettingsRequest = Static<typeof AlertSettingsRequest>;
export const AlertSettings = Type.Object({
  alert_email: Type.String(),
  failure_threshold_percent: Type.Integer(),
  enabled: Type.Boolean(),
});
export type AlertSettings = Static<typeof AlertSettings>;

/** `queued`: still to go. `skipped`: the person may not get it now. `missed`: its hours passed. */
export const LogStatus = Type.Union([
  Type.Literal('queued'),
  Type.Literal('sent'),
  Type.Literal('delivered'),
  Type.Literal('failed'),
  Type.Literal('unknown'),
  Type.Literal('missed'),
  Type.Literal('skipped'),
]);
export type LogStatus = Static<typeof LogStatus>;

const logFilter = {
  status: Type.Optional(LogStatus),
  /** Days on the recipients' own calendars, both included. */
  from: Type.Optional(LocalDate),
  to: Type.Optional(LocalDate),
  batch_id: Type.Optional(Id),
  user_id: Type.Optional(Id),
};
/** GET /admin/sms-logs (every text) and GET /admin/messages (those that left), newest first. */
export const LogQuery = Type.Object({
  ...logFilter,
  /** Goes on behind the text with this id. */
  before: Type.Optional(Type.String({ pattern: '^[0-9]{8}-[0-9a-f]{32}$' })),
  limit: Type.Integer({ minimum: 1, maximum: 500, default: 100 }),
});
export type LogQuery = Static<typeof LogQuery>;
/** GET /admin/sms-logs/export: a CSV file of at most 366 days; without dates the last 30. */
export const LogExportQuery = Type.Object(logFilter);
export type LogExportQuery = Static<typeof LogExportQuery>;

export const LoggedText = Type.Object({
  id: Type.String(),
  user_id: Nullable(Id),
  first_name: Type.String(),
  /** The number that it went to, or would; hidden from viewers but for a few digits. */
  to: Nullable(Type.String()),
  kind: Type.String(),
  message_content: Type.String(),
  status: LogStatus,
  /** Why it stands so, in words; null where there is nothing to explain. */
  reason: Nullable(Type.String()),
  error_code: Nullable(Type.String()),
  batch_id: Nullable(Id),
  local_date: LocalDate,
  created_at: Instant,
  sent_at: Nullable(Instant),
  finished_at: Nullable(Instant),
  parts: Nullable(Count),
  /** Decimal text, in `currency`. */
  cost: Nullable(Type.String()),
  currency: Nullable(Type.String()),
  is_test: Type.Boolean(),
});
export type LoggedText = Static<typeof LoggedText>;
export const LoggedTextList = Type.Array(LoggedText);

/** GET /admin/sms-stats/daily: one row a day, without gaps, the newest last. Real texts of subscribers only. */
export const DailyStatsQuery = Type.Object({
  days: Type.Integer({ minimum: 1, maximum: 366, default: 30 }),
});
export const DailyStats = Type.Object({
  date: LocalDate,
  delivered: Count,
  /** The provider has it, and no carrier has confirmed it (yet). */
  sent: Count,
  failed: Count,
  unknown: Count,
  missed: Count,
  skipped: Count,
  /** Dollars, from the provider's receipts. */
  cost: Type.Number(),
});
export type DailyStats = Static<typeof DailyStats>;
export const DailyStatsList = Type.Array(DailyStats);

/** GET /admin/sms-stats/hourly: the last hours, without gaps, the present one last. */
export const HourlyStatsQuery = Type.Object({
  hours: Type.Integer({ minimum: 1, maximum: 168, default: 24 }),
});
export const HourlyStats = Type.Object({ hour: Instant, successful: Count, failed: Count });
export type HourlyStats = Static<typeof HourlyStats>;
export const HourlyStatsList = Type.Array(HourlyStats);

/** GET /admin/sms-system/provider: how this service really is set up, and what the receipts say. */
export const ProviderInfo = Type.Object({
  mode: Type.Union([Type.Literal('sandbox'), Type.Literal('live')]),
  rate_per_second: Count,
  batch_size: Count,
  sending_numbers: Type.Array(Type.String()),
  /** Of one part, by the latest receipt that names a price; else the configured estimate. */
  cost_per_part: Type.String(),
  currency: Type.String(),
  cost_from: Type.Union([Type.Literal('receipts'), Type.Literal('configuration')]),
  latest_receipt_at: Nullable(Instant),
  /** Set while the provider refuses everything or is down, and sending rests. */
  pause: Nullable(
    Type.Object({
      since: Instant,
      code: Type.String(),
      reason: Type.String(),
      advice: Type.String(),
      next_probe_at: Instant,
      failed_probes: Count,
    }),
  ),
});
export type ProviderInfo = Static<typeof ProviderInfo>;
