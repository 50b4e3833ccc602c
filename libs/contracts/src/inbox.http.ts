import { type Static, Type } from 'typebox';
import { Count, Id, Instant, Nullable, OneOf, StrictObject } from './fields.ts';

/** `support`: subscriber's form. `contact`: public form. `reply`: text message. */
export const SupportMessageKind = OneOf('support', 'contact', 'reply');
export type SupportMessageKind = Static<typeof SupportMessageKind>;
export const InboxState = OneOf('open', 'closed');
export type InboxState = Static<typeof InboxState>;

/** `stop`: a text reply that looks like STOP but wasn't taken as one. `distress`: someone may be in danger. */
export const InboxFlag = OneOf('stop', 'distress');
export type InboxFlag = Static<typeof InboxFlag>;

export const InboxQuery = Type.Object({
  state: Type.Optional(InboxState),
  /** Only open conversations whose last message has no reply. */
  unanswered: Type.Optional(Type.Boolean()),
  assignee: Type.Optional(Id),
  kind: Type.Optional(SupportMessageKind),
  /** Words in messages, subjects and names. Roles that see addresses can also search a full address. */
  search: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  before: Type.Optional(Id),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 30 }),
});
export type InboxQuery = Static<typeof InboxQuery>;

/** Viewers see masked contacts, also inside message text. */
export const InboxItem = Type.Object({
  id: Id,
  kind: SupportMessageKind,
  state: InboxState,
  subject: Type.String(),
  preview: Type.String(),
  name: Nullable(Type.String()),
  email: Nullable(Type.String()),
  phone: Nullable(Type.String()),
  user_id: Nullable(Id),
  /** Interpreted as STOP; an admin should confirm it. */
  needs_review: Type.Boolean(),
  /** Flags of the latest message. */
  flags: Type.Array(InboxFlag),
  assignee: Nullable(Type.Object({ id: Id, username: Type.String() })),
  last_at: Instant,
  answered_at: Nullable(Instant),
});
export type InboxItem = Static<typeof InboxItem>;

export const InboxPage = Type.Object({
  items: Type.Array(InboxItem),
  more: Type.Boolean(),
  /** Open conversations of all kinds, counted up to 1,000. */
  open: Count,
});
export type InboxPage = Static<typeof InboxPage>;

export const AnswerBy = OneOf('email', 'text');
export type AnswerBy = Static<typeof AnswerBy>;
export const AnswerStatus = OneOf('queued', 'sent', 'delivered', 'failed', 'unknown');
export type AnswerStatus = Static<typeof AnswerStatus>;

export const Conversation = Type.Object({
  ...InboxItem.properties,
  letters: Type.Array(
    Type.Object({
      id: Id,
      kind: SupportMessageKind,
      message: Type.String(),
      needs_review: Type.Boolean(),
      flags: Type.Array(InboxFlag),
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
  /** Whether older messages or replies exist; only the latest 200 of each are listed. */
  has_earlier: Type.Boolean(),
  closed_at: Nullable(Instant),
  closed_by: Nullable(Type.String()),
  /** Why a reply by email or text isn't possible now; null if it is. */
  refusals: Type.Object({ email: Nullable(Type.String()), text: Nullable(Type.String()) }),
  /** The subscriber with this visitor's email, if it is proven. */
  subscriber: Nullable(Type.Object({ id: Id, name: Type.String() })),
  others: Type.Array(InboxItem),
});
export type Conversation = Static<typeof Conversation>;

export const Assignees = Type.Array(Type.Object({ id: Id, username: Type.String() }));
export const AssigneeRequest = StrictObject({ assignee_id: Nullable(Id) });

/** With `last_at` as the page shows it, a conversation isn't closed with a message that came since. */
export const CloseRequest = StrictObject({ last_at: Type.Optional(Instant) });
export type CloseRequest = Static<typeof CloseRequest>;

export const SupportThreadsQuery = Type.Object({
  before: Type.Optional(Id),
  limit: Type.Integer({ minimum: 1, maximum: 50, default: 10 }),
});
export type SupportThreadsQuery = Static<typeof SupportThreadsQuery>;

/** A conversation with support, as the subscriber sees it. */
export const SupportThread = Type.Object({
  id: Id,
  subject: Type.String(),
  /** `closed`: without a reply to the last message. */
  status: OneOf('waiting', 'answered', 'closed'),
  /** The latest ones, newest first. */
  messages: Type.Array(
    Type.Object({
      id: Id,
      sender: OneOf('you', 'support'),
      by: OneOf('form', 'email', 'text'),
      text: Type.String(),
      created_at: Instant,
    }),
  ),
  has_earlier: Type.Boolean(),
});
export type SupportThread = Static<typeof SupportThread>;
export const SupportThreads = Type.Object({
  threads: Type.Array(SupportThread),
  more: Type.Boolean(),
});
export type SupportThreads = Static<typeof SupportThreads>;

export const SavedReply = Type.Object({ id: Id, title: Type.String(), content: Type.String() });
export type SavedReply = Static<typeof SavedReply>;
export const SavedReplyList = Type.Array(SavedReply);
const words = {
  title: Type.String({ minLength: 1, maxLength: 80, pattern: '\\S' }),
  content: Type.String({ minLength: 1, maxLength: 4_000, pattern: '\\S' }),
};
export const SavedReplyRequest = StrictObject(words);
export type SavedReplyRequest = Static<typeof SavedReplyRequest>;
/** The page chooses the id, which makes creation idempotent. */
export const NewSavedReply = StrictObject({ id: Id, ...words });

export const AnswerRequest = StrictObject({
  by: AnswerBy,
  text: Type.String({ minLength: 1, maxLength: 4_000, pattern: '\\S' }),
  idempotency_key: Id,
});
export type AnswerRequest = Static<typeof AnswerRequest>;

export const InboundReply = Type.Object({ content: Type.String(), from_number: Type.String() });
export type InboundReply = Static<typeof InboundReply>;

export const AnswerTextsQuery = Type.Object({
  ids: Type.String({ pattern: '^[0-9a-f-]{36}(,[0-9a-f-]{36}){0,199}$' }),
});
export const AnswerTexts = Type.Array(Type.Object({ id: Id, status: AnswerStatus }));
export type AnswerTexts = Static<typeof AnswerTexts>;
