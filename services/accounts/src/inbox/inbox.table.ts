import type { AnswerBy, InboxState, SupportMessageKind } from '@daylift/contracts/inbox.http';
import type { Generated, Insertable, Selectable } from 'kysely';

/** Support messages and text replies, in the sender's words. */
export interface SupportMessagesTable {
  id: string;
  conversation_id: string;
  kind: SupportMessageKind;
  user_id: string | null;
  name: string | null;
  email: string | null;
  subject: string;
  message: string;
  address_hash: string | null;
  /** Source of a text reply's words. */
  inbound_id: string | null;
  needs_review: Generated<boolean>;
  created_at: Date;
}
export type SupportMessage = Insertable<SupportMessagesTable>;

export interface ConversationsTable {
  id: string;
  kind: SupportMessageKind;
  state: Generated<InboxState>;
  user_id: string | null;
  name: string | null;
  email: string | null;
  phone: string | null;
  subject: string;
  needs_review: Generated<boolean>;
  /** A message since it was last closed suggests that the person may be in danger. */
  in_distress: Generated<boolean>;
  by_text: boolean;
  last_at: Date;
  answered_at: Date | null;
  closed_at: Date | null;
  closed_by: string | null;
  assignee_id: Generated<string | null>;
}
export type ConversationRow = Selectable<ConversationsTable>;

export interface AnswersTable {
  id: string;
  conversation_id: string;
  sent_by: AnswerBy;
  message: string;
  admin_id: string;
  admin_username: string;
  created_at: Date;
}
export type Answer = Selectable<AnswersTable>;

export interface RepliesToFetchTable {
  inbound_id: string;
  user_id: string | null;
  needs_review: boolean;
  received_at: Date;
  next_try_at: Date;
}
export type ReplyToFetch = Selectable<RepliesToFetchTable>;

/** How many replies of an hour were not emailed one by one. */
export interface SkippedReplyMailsTable {
  hour: Date;
  count: number;
}
