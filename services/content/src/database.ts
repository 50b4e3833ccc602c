import type { SequenceText } from '@daylift/contracts/content.events';
import type { MessageCategory } from '@daylift/contracts/content.http';
import type { Frequency } from '@daylift/contracts/fields';
import type { EventTables } from '@daylift/events/event-tables';
import type { Generated, Kysely, Transaction } from 'kysely';
import type { Static } from 'typebox';

export interface ContentDatabase extends EventTables {
  scheduled_messages: ScheduledMessagesTable;
  message_progress: MessageProgressTable;
  templates: TemplatesTable;
  sequence_texts: SequenceText;
  faqs: FaqsTable;
}

export type Db = Kysely<ContentDatabase>;
export type Trx = Transaction<ContentDatabase>;

export interface ScheduledMessagesTable {
  id: string;
  version: number;
  title: string;
  content: string;
  scheduled_date: string;
  /** HH:MM in each recipient's time zone; announcements only. */
  scheduled_time: string;
  category: Static<typeof MessageCategory>;
  created_at: Date;
  sent_at: Date | null;
  /** A daily message sent before its date, which is free for another message. */
  sent_early: Generated<boolean>;
}

export interface MessageProgressTable {
  scheduled_message_id: string;
  batch_id: string;
  version: number;
  total: number;
  successful: number;
  failed: number;
  pending: number;
}

export interface TemplatesTable {
  id: string;
  version: number;
  published_version: Generated<number>;
  title: string;
  content: string;
  category: string;
  is_active: boolean;
  frequency: Generated<Frequency>;
  scheduled_time: string | null;
  tags: Generated<string[]>;
  /** Null for messages that came with the product. */
  created_at: Date | null;
  deleted_at: Date | null;
}

export interface FaqsTable {
  id: string;
  version: Generated<number>;
  position: number;
  question: string;
  answer: string;
  /** Null for questions that came with the product. */
  created_at: Date | null;
}
