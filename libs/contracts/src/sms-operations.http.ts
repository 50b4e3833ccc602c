import { type Static, Type } from 'typebox';
import {
  Count,
  Email,
  Id,
  Instant,
  LocalDate,
  Nullable,
  OneOf,
  PhoneInput,
  StrictObject,
} from './fields.ts';

export const TestingModeRequest = StrictObject({
  enabled: Type.Boolean(),
  /** Required to enable it. If omitted, the number stays. */
  test_phone: Type.Optional(Nullable(Type.String({ maxLength: 32 }))),
});
export type TestingModeRequest = Static<typeof TestingModeRequest>;
export const TestingModeSettings = Type.Object({
  testing_mode_enabled: Type.Boolean(),
  test_phone_number: Nullable(Type.String()),
  enabled_at: Nullable(Instant),
  enabled_by: Nullable(Type.String()),
});
export type TestingModeSettings = Static<typeof TestingModeSettings>;

export const TestTextRequest = StrictObject({
  content: Type.String({ minLength: 1, maxLength: 1_600, pattern: '\\S' }),
  phone: PhoneInput,
  idempotency_key: Id,
});
export type TestTextRequest = Static<typeof TestTextRequest>;

export const AlertSettingsRequest = StrictObject({
  email: Type.Union([Email, Type.Literal('')]),
  failure_threshold: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
  enabled: Type.Boolean(),
});
export type AlertSettingsRequest = Static<typeof AlertSettingsRequest>;
export const AlertSettings = Type.Object({
  alert_email: Type.String(),
  failure_threshold_percent: Type.Integer(),
  enabled: Type.Boolean(),
});
export type AlertSettings = Static<typeof AlertSettings>;

/** `queued`: not sent yet. `skipped`: not eligible. `missed`: expired. */
export const LogStatus = OneOf(
  'queued',
  'sent',
  'delivered',
  'failed',
  'unknown',
  'missed',
  'skipped',
);
export type LogStatus = Static<typeof LogStatus>;

const logFilter = {
  status: Type.Optional(LogStatus),
  from: Type.Optional(LocalDate),
  to: Type.Optional(LocalDate),
  batch_id: Type.Optional(Id),
  user_id: Type.Optional(Id),
};
export const LogQuery = Type.Object({
  ...logFilter,
  before: Type.Optional(Type.String({ pattern: '^[0-9]{8}-[0-9a-f]{32}$' })),
  limit: Type.Integer({ minimum: 1, maximum: 500, default: 100 }),
});
export type LogQuery = Static<typeof LogQuery>;
/** A CSV file of at most 366 days; defaults to the last 30. */
export const LogExportQuery = Type.Object(logFilter);
export type LogExportQuery = Static<typeof LogExportQuery>;

export const LoggedText = Type.Object({
  id: Type.String(),
  user_id: Nullable(Id),
  first_name: Type.String(),
  /** Recipient's number, masked for viewers. */
  to: Nullable(Type.String()),
  kind: Type.String(),
  message_content: Type.String(),
  status: LogStatus,
  reason: Nullable(Type.String()),
  error_code: Nullable(Type.String()),
  batch_id: Nullable(Id),
  local_date: LocalDate,
  created_at: Instant,
  sent_at: Nullable(Instant),
  finished_at: Nullable(Instant),
  parts: Nullable(Count),
  /** Decimal string, in `currency`. */
  cost: Nullable(Type.String()),
  currency: Nullable(Type.String()),
  is_test: Type.Boolean(),
});
export type LoggedText = Static<typeof LoggedText>;
export const LoggedTextList = Type.Array(LoggedText);

/** One row per day, without gaps, the operators' today last. Excludes tests and transactional texts. */
export const DailyStatsQuery = Type.Object({
  days: Type.Integer({ minimum: 1, maximum: 366, default: 30 }),
});
export const DailyStats = Type.Object({
  date: LocalDate,
  delivered: Count,
  sent: Count,
  failed: Count,
  unknown: Count,
  missed: Count,
  skipped: Count,
  /** In dollars, from the provider's receipts. */
  cost: Type.Number(),
});
export type DailyStats = Static<typeof DailyStats>;
export const DailyStatsList = Type.Array(DailyStats);

export const HourlyStatsQuery = Type.Object({
  hours: Type.Integer({ minimum: 1, maximum: 168, default: 24 }),
});
export const HourlyStats = Type.Object({ hour: Instant, successful: Count, failed: Count });
export type HourlyStats = Static<typeof HourlyStats>;
export const HourlyStatsList = Type.Array(HourlyStats);

/** The provider's daily limit, in dollars, since midnight UTC. */
export const SpendLimitInfo = Type.Object({
  limit: Type.Number(),
  /** Estimated cost of the texts sent. */
  spent: Type.Number(),
  /** Estimated cost of texts still due until midnight UTC. */
  reserved: Type.Number(),
  cost_per_text: Type.Number(),
  /** How many more verification codes and consent requests (and replies) have room. */
  texts_left: Count,
  /** How many of these were refused. */
  refused: Count,
});
export type SpendLimitInfo = Static<typeof SpendLimitInfo>;

export const ProviderInfo = Type.Object({
  mode: OneOf('sandbox', 'live'),
  rate_per_second: Count,
  batch_size: Count,
  sending_numbers: Type.Array(Type.String()),
  /** Price per part from the latest receipt, or the configured estimate. */
  cost_per_part: Type.String(),
  currency: Type.String(),
  cost_from: OneOf('receipts', 'configuration'),
  latest_receipt_at: Nullable(Instant),
  /** Null if none is configured. */
  spend_limit: Nullable(SpendLimitInfo),
  /** The latest comparison with the provider's block list; null before the first. */
  block_list: Nullable(
    Type.Object({
      checked_at: Instant,
      /** Numbers that the provider blocks. */
      blocked: Count,
      /** Those that were opted out here because of that. */
      added: Count,
      /** Numbers opted out here only. */
      only_here: Count,
      /** Those of them that the provider blocked before. */
      lifted: Count,
    }),
  ),
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

/** An error code of the provider. `phase` is null if the code means the same in a response and in a receipt. */
export const ProviderError = Type.Object({
  code: Type.String(),
  phase: Nullable(OneOf('sync', 'async')),
  meaning: Type.String(),
  action: Type.String(),
  /** Whether operators get an alert. */
  alerts: Type.Boolean(),
  /** In the last 30 days. */
  texts: Count,
});
export type ProviderError = Static<typeof ProviderError>;
export const ProviderErrorList = Type.Array(ProviderError);
