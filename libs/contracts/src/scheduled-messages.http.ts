import { type Static, Type } from 'typebox';
import {
  CreateScheduledMessageRequest,
  MessageCategory,
  ScheduledMessage,
} from './content.http.ts';
import { Count, LocalDate, Nullable, OneOf, Page, StrictObject } from './fields.ts';

export const Version = Type.Integer({ minimum: 1, maximum: 2_000_000_000 });
export const Search = Type.String({ maxLength: 100 });

/** Newest date first; `upcoming` sorts soonest first. */
export const ScheduledMessageQuery = Type.Object({
  ...Page.properties,
  status: Type.Optional(OneOf('upcoming', 'sent')),
  category: Type.Optional(MessageCategory),
  search: Type.Optional(Search),
});
export type ScheduledMessageQuery = Static<typeof ScheduledMessageQuery>;

export const UpdateScheduledMessageRequest = StrictObject({
  ...CreateScheduledMessageRequest.properties,
  version: Version,
});
export type UpdateScheduledMessageRequest = Static<typeof UpdateScheduledMessageRequest>;

export const CalendarQuery = Type.Object({
  days: Type.Integer({ minimum: 1, maximum: 90, default: 60 }),
});

export const ContentDay = Type.Object({
  date: LocalDate,
  /** Null: the library provides the text. */
  daily: Nullable(ScheduledMessage),
  announcements: Type.Array(ScheduledMessage),
  /** Sent on this day by Send Now, before their dates. */
  sent_early: Type.Array(ScheduledMessage),
});
export type ContentDay = Static<typeof ContentDay>;

export const ContentCalendar = Type.Object({
  days: Type.Array(ContentDay),
  library: Type.Object({
    active: Count,
    days_without_message: Count,
    is_enough: Type.Boolean(),
  }),
});
export type ContentCalendar = Static<typeof ContentCalendar>;

/** `dry_run` stores nothing. Invalid lines block the import unless skipped. */
export const ImportRequest = StrictObject({
  csv: Type.String({ minLength: 1, maxLength: 1_000_000, pattern: '\\S' }),
  dry_run: Type.Optional(Type.Boolean()),
  skip_invalid: Type.Optional(Type.Boolean()),
});
export type ImportRequest = Static<typeof ImportRequest>;

export const ImportLine = Type.Object({
  line: Count,
  status: OneOf('ok', 'already_there', 'invalid'),
  date: Type.String(),
  title: Type.String(),
  detail: Nullable(Type.String()),
});
export type ImportLine = Static<typeof ImportLine>;

export const ImportReport = Type.Object({
  dry_run: Type.Boolean(),
  imported: Count,
  ok: Count,
  already_there: Count,
  invalid: Count,
  lines: Type.Array(ImportLine),
});
export type ImportReport = Static<typeof ImportReport>;
