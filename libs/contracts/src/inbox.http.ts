import { type Static, Type } from 'typebox';
import { Count, Id, Instant, Nullable } from './fields.ts';

/** `support`: a subscriber's form. `contact`: the public form. `reply`: by text. */
export const LetterKind = Type.Union([
  Type.Literal('support'),
  Type.Literal('contact'),
  Type.Literal('reply'),
]);
export type LetterKind = Static<typeof LetterKind>;
export const InboxState = Type.Union([Type.Literal('open'), Type.Literal('closed')]);
export type InboxState = Static<typeof InboxState>;

/** GET /admin/inbox, the latest letter first. */
export const InboxQuery = Type.Object({
  state: Type.Optional(InboxState),
  kind: Type.Optional(LetterKind),
  /** Words of letters, subjects and names; for those who see addresses also a whole address. */
  search: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  /** Goes on behind the conversation with this id. */
  before: Type.Optional(Id),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 30 }),
});
export type InboxQuery = Static<typeof InboxQuery>;

/** Address and number are masked for a viewer, and numbers in what somebody wrote. */
export const InboxItem = Type.Object({
  id: Id,
  kind: LetterKind,
  state: InboxState,
  subject: Type.String(),
  /** How the latest letter begins. */
  preview: Type.String(),
  /** Null for a number that nobody is known by. */
  name: Nullable(Type.String()),
  email: Nullable(Type.String()),
  phone: Nullable(Type.String()),
  user_id: Nullable(Id),
  /** Was taken for a STOP, which a person should confirm by reading it. */
  needs_review: Type.Boolean(),
  last_at: Instant,
  answered_at: Nullable(Instant),
});
export type InboxItem = Static<typeof InboxItem>;

export const InboxPage = Type.Object({
  items: Type.Array(InboxItem),
  /** Whether there are older ones. */
  more: Type.Boolean(),
  /** Open ones of all kinds, counted up to 1,000. */
  open: Count,
});
export type InboxPage = Static<typeof InboxPage>;

export const AnswerBy = Type.Union([Type.Literal('email'), Type.Literal('text')]);
export type AnswerBy = Static<typeof AnswerBy>;
/** `unknown`: whoever knows does not answer right now. */
export const AnswerStatus = Type.Union([
  Type.Literal('queued'),
  Type.Literal('sent'),
  Type.Literal('delivered'),
  Type.Literal('failed'),
  Type.Literal('unknown'),
]);
export type AnswerStatus = Static<typeof AnswerStatus>;

/** GET /admin/inbox/:id */
export const Conversation = Type.Object({
  ...InboxItem.properties,
  letters: Type.Array(
    Type.Object({
      id: Id,
      kind: LetterKind,
      message: Type.String(),
      needs_review: Type.Boolean(),
      created_at: Instant,
    }),
  ),
  answers: Type.Array(
    Type.Object({
      id: Id,
      by: AnswerBy,
      text: Type.String(),
      admin: Type.String(),
      created_at: Instant,
      status: AnswerStatus,
    }),
  ),
  /** Whether there are letters or answers before these, the latest 200 of each. */
  has_earlier: Type.Boolean(),
  closed_at: Nullable(Instant),
  closed_by: Nullable(Type.String()),
  /** Why an answer can't go that way now; null where it can. */
  refusals: Type.Object({ email: Nullable(Type.String()), text: Nullable(Type.String()) }),
  /** What else the same person wrote, the latest first. */
  others: Type.Array(InboxItem),
});
export type Conversation = Static<typeof Conversation>;

/** POST /admin/inbox/:id/answer */
export const AnswerRequest = Type.Object(
  {
    by: AnswerBy,
    text: Type.String({ minLength: 1, maxLength: 4_000, pattern: '\\S' }),
    /** One answer for one key, however often it is sent. */
    idempotency_key: Id,
  },
  { additionalProperties: false },
);
export type AnswerRequest = Static<typeof AnswerRequest>;

/** GET /internal/inbound/:id of sms-gateway. */
export const InboundReply = Type.Object({ content: Type.String(), from_number: Type.String() });
export type InboundReply = Static<typeof InboundReply>;

/** GET /internal/answers of sms-gateway: how the texts of these answers fared; the ids stand in a row, with commas. */
export const AnswerTextsQuery = Type.Object({
  ids: Type.String({ pattern: '^[0-9a-f-]{36}(,[0-9a-f-]{36}){0,199}$' }),
});
export const AnswerTexts = Type.Array(Type.Object({ id: Id, status: AnswerStatus }));
export type AnswerTexts = Static<typeof AnswerTexts>;
