import { type Static, Type } from 'typebox';
import { AdminAction } from './admin-action.ts';
import { MessageCategory } from './content.http.ts';
import { Id, LocalDate } from './fields.ts';

export const ScheduledContent = Type.Object({
  id: Id,
  version: Type.Integer({ minimum: 1 }),
  title: Type.String(),
  content: Type.String(),
  scheduled_date: LocalDate,
  /** HH:MM in each recipient's time zone; announcements only. */
  scheduled_time: Type.String(),
  category: MessageCategory,
});
export type ScheduledContent = Static<typeof ScheduledContent>;

export const LibraryTemplate = Type.Object({
  id: Id,
  version: Type.Integer({ minimum: 1 }),
  content: Type.String(),
  /** Absent in older events. */
  category: Type.Optional(Type.String()),
  is_active: Type.Boolean(),
});
export type LibraryTemplate = Static<typeof LibraryTemplate>;

/** Days that have a sequence text. Day 1 is the date of the subscriber's first text. */
const SequenceDay = Type.Union([
  Type.Literal(1),
  Type.Literal(7),
  Type.Literal(30),
  Type.Literal(100),
]);

export const SequenceText = Type.Object({
  id: Id,
  version: Type.Integer({ minimum: 1 }),
  day: SequenceDay,
  content: Type.String(),
  is_active: Type.Boolean(),
});
export type SequenceText = Static<typeof SequenceText>;

export const contentEvents = {
  'content.message.scheduled': ScheduledContent,
  'content.message.deleted': Type.Object({ id: Id, version: Type.Integer({ minimum: 1 }) }),
  'content.template.changed': LibraryTemplate,
  'content.sequence.changed': SequenceText,
  'content.admin.acted': AdminAction,
};
