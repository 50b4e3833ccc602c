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
  TimeZone,
  Weekday,
} from './fields.ts';

/** GET /users/me/next-text. `reason` says in words why there is none. */
export const NextText = Type.Object({
  next_text_at: Nullable(Instant),
  local_date: Nullable(LocalDate),
  timezone: Nullable(Type.String()),
  reason: Nullable(Type.String()),
});
export type NextText = Static<typeof NextText>;

/** POST /users/me/next-text/preview: what GET would answer if these settings were saved; changes nothing. */
export const NextTextPreviewRequest = Type.Object(
  {
    timezone: Type.Optional(TimeZone),
    delivery_time: Type.Optional(DeliveryTime),
    delivery_enabled: Type.Optional(Type.Boolean()),
    delivery_frequency: Type.Optional(Frequency),
    delivery_weekday: Type.Optional(Weekday),
    paused_until: Type.Optional(Nullable(LocalDate)),
  },
  { additionalProperties: false },
);
export type NextTextPreviewRequest = Static<typeof NextTextPreviewRequest>;

/** GET /admin/scheduler/status */
export const SchedulerStatus = Type.Object({
  pending_jobs: Count,
  processing_jobs: Count,
  /** By the end of this hour; whoever gets an announcement besides is counted for both. */
  users_due_for_messages: Count,
  scheduler_running: Type.Boolean(),
});
export type SchedulerStatus = Static<typeof SchedulerStatus>;

/** POST /admin/scheduler/run: what became due now; `batch_id` is null when nothing did. */
export const SchedulerRun = Type.Object({ scheduled: Count, batch_id: Nullable(Id) });
export type SchedulerRun = Static<typeof SchedulerRun>;

/** Body of send-now and send-todays-message; without it the call sends to all now. */
export const StaffSendRequest = Type.Object(
  { hold_quiet_hours: Type.Optional(Type.Boolean()) },
  { additionalProperties: false },
);
export type StaffSendRequest = Static<typeof StaffSendRequest>;

/** POST /admin/scheduled-messages/:id/send-now and /admin/send-todays-message. */
export const StaffSendResult = Type.Object({
  scheduled_message_title: Type.String(),
  total_recipients: Count,
  successful_sends: Count,
  failed_sends: Count,
  pending: Count,
  /** Held until 08:00 on the recipient's clock. */
  held: Count,
  batch_id: Id,
});
export type StaffSendResult = Static<typeof StaffSendResult>;

/** GET /admin/scheduled-messages/:id/send-preview and /admin/send-todays-message/preview: what a staff send would do now. */
export const StaffSendPreview = Type.Object({
  scheduled_message_id: Id,
  scheduled_message_title: Type.String(),
  /** An announcement comes on top of the text of the day, a daily message takes its place. */
  category: MessageCategory,
  recipients: Count,
  /** With very many subscribers the numbers are drawn from a sample of them. */
  is_estimate: Type.Boolean(),
  /** Of these, how many have it outside 08:00-21:00 on their own clock. */
  in_quiet_hours: Count,
  parts_per_text: Count,
  estimated_cost: Type.String(),
  currency: Type.String(),
});
export type StaffSendPreview = Static<typeof StaffSendPreview>;

/** GET /admin/audience: what a text to everybody who may receive one now would come to. */
export const Audience = Type.Object({
  recipients: Count,
  is_estimate: Type.Boolean(),
  price_per_part: Type.String(),
  currency: Type.String(),
});
export type Audience = Static<typeof Audience>;

/** GET /admin/scheduler/delivery-slots: hour of the day, `00` to `23`, to number of subscribers. */
export const DeliverySlots = Type.Object({
  slots: Type.Record(Type.String(), Count),
  total_users: Count,
});
export type DeliverySlots = Static<typeof DeliverySlots>;
