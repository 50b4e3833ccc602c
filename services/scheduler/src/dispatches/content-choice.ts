import type { Kysely } from 'kysely';
import {
  findMessagesHad,
  findMessagesOfDates,
  findSequenceTexts,
  pickTemplates,
} from '../contents/content-choice.repository.ts';
import { findMessages } from '../contents/contents.repository.ts';
import type { SchedulerDatabase } from '../database.ts';
import type { Dispatch } from './dispatches.table.ts';

export interface Content {
  content: string;
  scheduled_message_id: string | null;
  /** A library or sequence text. */
  template_id: string | null;
  /** Set for a sequence text. */
  sequence_day?: number;
}

/**
 * Chooses the content of each dispatch. Manual sends and announcements already have content. Others get the first
 * available of: a due sequence text; the message scheduled for their local date, unless the subscriber had it from a
 * manual send; a template. A dispatch without any content is missing from the result.
 */
export async function chooseContents(
  db: Kysely<SchedulerDatabase>,
  dispatches: Dispatch[],
  /** Replaces the query per subscriber where only the existence of content matters. */
  pick: typeof pickTemplates = pickTemplates,
): Promise<Map<Dispatch, Content>> {
  const chosen = new Map<Dispatch, Content>();
  const bound = dispatches.filter((one) => one.scheduled_message_id !== null);
  const messages = await findMessages(db, [
    ...new Set(bound.map((one) => one.scheduled_message_id ?? '')),
  ]);
  for (const dispatch of bound) {
    const message = messages.find((one) => one.id === dispatch.scheduled_message_id);
    if (message !== undefined) chosen.set(dispatch, contentOfMessage(message));
  }
  const free = dispatches.filter((one) => one.scheduled_message_id === null);
  await chooseSequenceTexts(db, free, chosen);
  await chooseMessagesOfTheDay(
    db,
    free.filter((one) => !chosen.has(one)),
    chosen,
  );
  await chooseTemplates(
    db,
    free.filter((one) => !chosen.has(one)),
    chosen,
    pick,
  );
  return chosen;
}

async function chooseSequenceTexts(
  db: Kysely<SchedulerDatabase>,
  dispatches: Dispatch[],
  chosen: Map<Dispatch, Content>,
): Promise<void> {
  const texts = await findSequenceTexts(db, dispatches);
  for (const dispatch of dispatches) {
    const text = texts.find(
      (one) => one.user_id === dispatch.user_id && one.local_date === dispatch.local_date,
    );
    if (text !== undefined)
      chosen.set(dispatch, {
        content: text.content,
        scheduled_message_id: null,
        template_id: text.id,
        sequence_day: text.day,
      });
  }
}

async function chooseMessagesOfTheDay(
  db: Kysely<SchedulerDatabase>,
  dispatches: Dispatch[],
  chosen: Map<Dispatch, Content>,
): Promise<void> {
  const dates = [...new Set(dispatches.map((one) => one.local_date))];
  const messages = await findMessagesOfDates(db, dates);
  const users = dispatches.map((one) => one.user_id);
  const had = await findMessagesHad(
    db,
    users,
    messages.map((one) => one.id),
  );
  for (const dispatch of dispatches) {
    const message = messages.find((one) => one.scheduled_date === dispatch.local_date);
    if (message !== undefined && !had.has(`${dispatch.user_id}/${message.id}`))
      chosen.set(dispatch, contentOfMessage(message));
  }
}

async function chooseTemplates(
  db: Kysely<SchedulerDatabase>,
  dispatches: Dispatch[],
  chosen: Map<Dispatch, Content>,
  pick: typeof pickTemplates,
): Promise<void> {
  const templates = await pick(db, [...new Set(dispatches.map((one) => one.user_id))]);
  for (const dispatch of dispatches) {
    const template = templates.get(dispatch.user_id);
    if (template !== undefined)
      chosen.set(dispatch, {
        content: template.content,
        scheduled_message_id: null,
        template_id: template.id,
      });
  }
}

const contentOfMessage = (message: { id: string; content: string }): Content => ({
  content: message.content,
  scheduled_message_id: message.id,
  template_id: null,
});
