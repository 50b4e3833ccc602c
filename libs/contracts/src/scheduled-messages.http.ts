import { type Static, Type } from 'typebox';
import {
  CreateScheduledMessageRequest,
  MessageCategory,
  ScheduledMessage,
} from './content.http.ts';
import { Count, LocalDate, Nullable, Page } from './fields.ts';

export const Version = Type.Integer({ minimum: 1, maximum: 2_000_000_000 });
export const Search = Type.String({ maxLength: 100 });

/** GET /admin/scheduled-messages: without a status newest date first, `upcoming` soonest first. */
export const ScheduledMessageQuery = Type.Object({
  ...Page.properties,
  status: Type.Optional(Type.Union([Type.Literal('upcoming'), Type.Literal('sent')])),
  category: Type.Optional(MessageCategory),
  /** In the title. */
  search: Type.Optional(Search),
});
export type ScheduledMessageQuery = Static<typeof ScheduledMessageQuery>;

/** PUT /admin/scheduled-messages/:id; `version` is the one that was read. */
export const UpdateScheduledMessageRequest = Type.Object(
  { ...CreateScheduledMessageRequest.properties, version: Version },
  { additionalProperties: false },
);
export type UpdateScheduledMessageRequest = Static<typeof UpdateScheduledMessageRequest>;

/** GET /admin/scheduled-messages/calendar */
export const CalendarQuery = Type.Object({
  days: Type.Integer({ minimum: 1, maximum: 90, default: 60 }),
});

export const ContentDay = Type.Object({
  date: LocalDate,
  /** Null: the text of that day comes from the library. */
  daily: Nullable(ScheduledMessage),
  announcements: Type.Array(ScheduledMessage),
});
export type ContentDay = Static<typeof ContentDay>;

export const ContentCalendar = Type.Object({
  /** The operators' today and on. */
  days: Type.Array(ContentDay),
  library: Type.Object({
    active: Count,
    /** Of the days shown, those without a message. */
    days_without_message: Count,
    /** Whether nobody would get a text of the library twice in these days. */
    is_enough: Type.Boolean(),
  }),
});
export type ContentCalendar = Static<typeof ContentCalendar>;

/** POST /admin/scheduled-messages/import. With `dry_run` nothing is stored; lines that are wrong stop all others unless skipped. */
export const ImportRequest = Type.Object(
  {
    csv: Type.String({ minLength: 1, maxLength: 1_000_000, pattern: '\\S' }),
    dry_run: Type.Optional(Type.Boolean()),
    skip_invalid: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
export type ImportRequest = Static<typeof ImportRequest>;

export const ImportLine = Type.Object({
  /** In the file, the first is 1. */
  line: Count,
  status: Type.Union([Type.Literal('ok'), Type.Literal('already_there'), Type.Literal('invalid')]),
  date: Type.String(),
  title: Type.String(),
  /** What is wrong and what to do; null where nothing is. */
  detail: Nullable(Type.String()),
});
export type ImportLine = Static<typeof ImportLine>;

export const ImportReport = Type.Object({
  dry_run: Type.Boolean(),
  /** Messages that were stored by this call. */
  imported: Count,
  ok: Count,
  already_there: Count,
  invalid: Count,
  lines: Type.Array(ImportLine),
});
export type ImportReport = Static<typeof ImportReport>;
