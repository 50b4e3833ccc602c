import type { MessageCategory } from '@daylift/contracts/content.http';
import type { Generated, GeneratedAlways, Selectable } from 'kysely';
import type { Static } from 'typebox';

export interface ScheduledMessagesTable {
  id: string;
  version: number;
  title: string;
  content: string;
  scheduled_date: string;
  scheduled_time: string;
  category: Static<typeof MessageCategory>;
  is_deleted: Generated<boolean>;
  completed_at: Date | null;
  /** Sent manually before its date, which leaves the date free. */
  sent_early: Generated<boolean>;
}
export type ScheduledMessage = Selectable<ScheduledMessagesTable>;

export interface DeletedMessagesTable {
  id: string;
}

export interface TemplatesTable {
  id: string;
  number: GeneratedAlways<number>;
  version: number;
  content: string;
  category: Generated<string>;
  is_active: boolean;
}

/** `numbers`: of the templates a subscriber had in dropped months. */
export interface PastTemplatesTable {
  user_id: string;
  numbers: number[];
}
