import { type Static, Type } from 'typebox';
import { MessageCategory } from './content.http.ts';
import {
  Count,
  DeliveryTime,
  Frequency,
  Id,
  Instant,
  LocalDate,
  Nullable,
  StrictObject,
  TimeZone,
  Weekday,
} from './fields.ts';

/** `reason` explains why no text is planned. */
export const NextText = Type.Object({
  next_text_at: Nullable(Instant),
  local_date: Nullable(LocalDate),
  timezone: Nullable(Type.String()),
  reason: Nullable(Type.String()),
});
export type NextText = Static<typeof NextText>;

export const NextTextPreviewRequest = StrictObject({
  timezone: Type.Optional(TimeZone),
  delivery_time: Type.Optional(DeliveryTime),
  delivery_enabled: Type.Optional(Type.Boolean()),
  delivery_frequency: Type.Optional(Frequency),
  delivery_weekday: Type.Optional(Weekday),
  paused_until: Type.Optional(Nullable(LocalDate)),
});
export type NextTextPreviewRequest = Static<typeof NextTextPreviewRequest>;

export const SchedulerStatus = Type.Object({
  pending_jobs: Count,
  processing_jobs: Count,
  users_due_for_messages: Count,
  scheduler_running: Type.Boolean(),
});
export type SchedulerStatus = Static<typeof SchedulerStatus>;

export const SchedulerRun = Type.Object({ scheduled: Count, batch_id: Nullable(Id) });
export type SchedulerRun = Static<typeof SchedulerRun>;

/** Optional: without a body, all texts go out now. */
export const ManualSendRequest = StrictObject({ hold_quiet_hours: Type.Optional(Type.Boolean()) });
export type ManualSendRequest = Static<typeof ManualSendRequest>;

/** With the id of the message that was previewed, no other one is sent. */
export const TodaysSendRequest = StrictObject({
  ...ManualSendRequest.properties,
  scheduled_message_id: Type.Optional(Id),
});

export const ManualSendResult = Type.Object({
  scheduled_message_title: Type.String(),
  total_recipients: Count,
  successful_sends: Count,
  failed_sends: Count,
  pending: Count,
  held: Count,
  batch_id: Id,
});
export type ManualSendResult = Static<typeof ManualSendResult>;

export const ManualSendPreview = Type.Object({
  scheduled_message_id: Id,
  scheduled_message_title: Type.String(),
  /** An announcement is sent in addition to the daily text; a daily message replaces it. */
  category: MessageCategory,
  scheduled_date: LocalDate,
  /** A daily message whose date is ahead: sending it frees that date. */
  is_early: Type.Boolean(),
  recipients: Count,
  is_estimate: Type.Boolean(),
  in_quiet_hours: Count,
  /** Weekly subscribers on another weekday, who get this text in addition to their weekly one. */
  off_day: Count,
  parts_per_text: Count,
  estimated_cost: Type.String(),
  currency: Type.String(),
});
export type ManualSendPreview = Static<typeof ManualSendPreview>;

/** Texts of a manual send that wait until 08:00 in the subscribers' zones. */
export const HeldTexts = Type.Object({
  scheduled_message_id: Id,
  title: Type.String(),
  texts: Count,
  first_at: Instant,
  last_at: Instant,
});
export type HeldTexts = Static<typeof HeldTexts>;

export const CanceledHeldTexts = Type.Object({ canceled: Count, left: Count });
export type CanceledHeldTexts = Static<typeof CanceledHeldTexts>;

export const Audience = Type.Object({
  recipients: Count,
  is_estimate: Type.Boolean(),
  price_per_part: Type.String(),
  currency: Type.String(),
});
export type Audience = Static<typeof Audience>;

export const DeliverySlots = Type.Object({
  slots: Type.Record(Type.String(), Count),
  total_users: Count,
});
export type DeliverySlots = Static<typeof DeliverySlots>;
