import { type Static, Type } from 'typebox';
import { AdminAction } from './admin-action.ts';
import { Frequency, Id, Instant, LocalDate, Nullable, OneOf, Weekday } from './fields.ts';

export const BatchKind = OneOf('scheduled', 'manual_run', 'staff_send');
export type BatchKind = Static<typeof BatchKind>;

/** `daily` counts toward the daily limit; an announcement doesn't. */
export const DispatchKind = OneOf('daily', 'announcement');
export type DispatchKind = Static<typeof DispatchKind>;

/** Half-open span in which a text may be sent. */
export const SendWindow = Type.Object({ opens_at: Instant, closes_at: Instant });
export type SendWindow = Static<typeof SendWindow>;

export const ReleasedDispatch = Type.Object({
  /** `YYYYMMDD-<32 hex>`: the date selects the partition; the rest derives from user, date and kind. */
  dispatch_id: Type.String({ pattern: '^[0-9]{8}-[0-9a-f]{32}$' }),
  user_id: Id,
  local_date: LocalDate,
  kind: DispatchKind,
  /** Template; may contain {{first_name}}. */
  content: Type.String(),
  scheduled_message_id: Nullable(Id),
  due_at: Instant,
  /** One or two, in order; the text is missed after the last. */
  windows: Type.Array(SendWindow, { minItems: 1, maxItems: 2 }),
  /**
   * Basis of the plan. Null for manual sends and announcements, which don't move when the subscriber changes the hour.
   */
  slot: Nullable(
    Type.Object({
      timezone: Type.String(),
      delivery_hour: Type.Integer({ minimum: 0, maximum: 23 }),
      frequency: Frequency,
      weekday: Nullable(Weekday),
    }),
  ),
});
export type ReleasedDispatch = Static<typeof ReleasedDispatch>;

/** A day on which a subscriber was due and got no text, for reasons that aren't theirs. */
export const LostDay = Type.Object({
  user_id: Id,
  local_date: LocalDate,
  due_at: Instant,
  frequency: Frequency,
  outcome: OneOf('missed', 'refused', 'failed', 'unknown', 'skipped'),
  reason: Nullable(Type.String()),
});
export type LostDay = Static<typeof LostDay>;

export const schedulerEvents = {
  'scheduler.dispatches.released': Type.Object({
    batch: Type.Object({ id: Id, kind: BatchKind, name: Type.String(), created_at: Instant }),
    /** Approximate batch size, capped at 2,500. */
    expected: Type.Optional(Type.Integer({ minimum: 0 })),
    dispatches: Type.Array(ReleasedDispatch, { minItems: 1, maxItems: 50 }),
  }),
  /** Texts still due until midnight UTC: daily texts, announcements and manual sends, released or not. */
  'scheduler.due_texts.changed': Type.Object({
    until: Instant,
    texts: Type.Integer({ minimum: 0 }),
    counted_at: Instant,
  }),
  'scheduler.message.completed': Type.Object({
    scheduled_message_id: Id,
    completed_at: Instant,
    /** A message that changed since then isn't completed. */
    version: Type.Optional(Type.Integer({ minimum: 1 })),
    /** A daily message sent manually before its date, which frees the date. */
    sent_early: Type.Optional(Type.Boolean()),
  }),
  /** The date starts within two days and has neither a message nor a library text. */
  'scheduler.content.missing': Type.Object({ date: LocalDate }),
  /** A subscriber will soon have had every library text of the category. Published once per threshold. */
  'scheduler.library.runs_out': Type.Object({
    category: Type.String(),
    days: Type.Integer({ minimum: 0 }),
    threshold_days: Type.Integer({ minimum: 1 }),
    date: LocalDate,
  }),
  /** Published three days after the date, when receipts have arrived. After a crash, a day is published again. */
  'scheduler.days.lost': Type.Object({
    days: Type.Array(LostDay, { minItems: 1, maxItems: 100 }),
  }),
  'scheduler.admin.acted': AdminAction,
};
