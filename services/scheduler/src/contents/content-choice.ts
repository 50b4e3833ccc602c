import type { Kysely } from 'kysely';
import type { SchedulerDatabase } from '../database.ts';
import type { Dispatch } from '../dispatches/dispatches.table.ts';
import {
  findMessagesHad,
  findMessagesOfDates,
  pickTemplates,
} from './content-choice.repository.ts';
import { findMessages } from './contents.repository.ts';

/** What a dispatch says: a scheduled message or a template of the library. */
export interface Content {
  content: string;
  scheduled_message_id: string | null;
  template_id: string | null;
}

/**
 * Chooses what each of some dispatches says. Staff sends and announcements have their message already. A text of the
 * day says the message scheduled for its local date, unless this person had it (a staff send came first); else the
 * library's. Dispatches for which there is nothing to say are missing from the answer.
 */
export async function chooseContents(
  db: Kysely<SchedulerDatabase>,
  dispatches: Dispatch[],
  /** Another than the one that asks for each person what they had, for whoever only wants to know whether there is one. */
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
  await chooseMessagesOfTheDay(db, free, chosen);
  await chooseTemplates(
    db,
    free.filter((one) => !chosen.has(one)),
    chosen,
    pick,
  );
  return chosen;
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
