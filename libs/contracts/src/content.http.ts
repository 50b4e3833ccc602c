import { type Static, Type } from 'typebox';
import {
  Count,
  Frequency,
  Id,
  Instant,
  LocalDate,
  Nullable,
  OneOf,
  StrictObject,
} from './fields.ts';

export const Faq = Type.Object({ id: Id, question: Type.String(), answer: Type.String() });
export type Faq = Static<typeof Faq>;
export const FaqList = Type.Array(Faq);

/** `daily_motivation` is the day's text; `announcement` is sent to everyone in addition. */
export const MessageCategory = OneOf('daily_motivation', 'announcement');
export type MessageCategory = Static<typeof MessageCategory>;
export const TimeOfDay = Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' });

export const maxTitleLength = 200;
export const maxContentLength = 1600;

/** Only the date part of `scheduled_date` counts, as a local date. */
export const CreateScheduledMessageRequest = StrictObject({
  title: Type.String({ minLength: 1, maxLength: maxTitleLength, pattern: '\\S' }),
  content: Type.String({ minLength: 1, maxLength: maxContentLength, pattern: '\\S' }),
  scheduled_date: Type.String({
    pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}([T ].*)?$',
    maxLength: 40,
  }),
  scheduled_time: Type.Optional(TimeOfDay),
  category: Type.Optional(MessageCategory),
});
export type CreateScheduledMessageRequest = Static<typeof CreateScheduledMessageRequest>;

export const ScheduledMessage = Type.Object({
  id: Id,
  /** Grows with each change, for optimistic locking. */
  version: Type.Integer({ minimum: 1 }),
  title: Type.String(),
  content: Type.String(),
  scheduled_date: LocalDate,
  scheduled_time: Type.String(),
  category: MessageCategory,
  is_sent: Type.Boolean(),
  /** A daily message sent before its date, which is free for another message. */
  sent_early: Type.Boolean(),
  sent_at: Nullable(Instant),
  total_recipients: Count,
  successful_sends: Count,
  failed_sends: Count,
  /** Not sent on purpose: not eligible, opted out, or skipped by staff. Not a failure. */
  skipped_sends: Count,
  pending_sends: Count,
  created_at: Instant,
});
export type ScheduledMessage = Static<typeof ScheduledMessage>;
export const ScheduledMessageList = Type.Array(ScheduledMessage);

export const Template = Type.Object({
  id: Id,
  version: Type.Integer({ minimum: 1 }),
  title: Type.String(),
  content: Type.String(),
  category: Type.String(),
  frequency: Frequency,
  scheduled_time: Nullable(Type.String()),
  tags: Type.Array(Type.String()),
  is_active: Type.Boolean(),
});
export type Template = Static<typeof Template>;
export const TemplateList = Type.Array(Template);

export const ContentFigures = Type.Object({
  scheduled_messages: Type.Object({
    total: Count,
    pending: Count,
    todays_message: Type.Object({
      date: LocalDate,
      exists: Type.Boolean(),
      id: Nullable(Id),
      title: Nullable(Type.String()),
      scheduled_time: Nullable(Type.String()),
      is_sent: Type.Boolean(),
    }),
  }),
  templates: Type.Object({ active: Count, total: Count }),
});
export type ContentFigures = Static<typeof ContentFigures>;
