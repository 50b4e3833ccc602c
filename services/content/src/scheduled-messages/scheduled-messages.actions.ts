import { randomUUID } from 'node:crypto';
import { contentEvents } from '@daylift/contracts/content.events';
import type { CreateScheduledMessageRequest } from '@daylift/contracts/content.http';
import type { UpdateScheduledMessageRequest } from '@daylift/contracts/scheduled-messages.http';
import { publishAdminAction } from '@daylift/events/admin-actions';
import { publish } from '@daylift/events/publish';
import type { ActingAdmin } from '@daylift/server/acting-admin';
import type { Db, Trx } from '../database.ts';
import type { ContentDeps } from '../deps.ts';
import { AlreadySent, ChangedMeanwhile, DayIsSent, DayIsTaken, UnknownMessage } from '../errors.ts';
import { duplicatesSince, lockDuplicates } from '../words/double-click.ts';
import { checkMessage } from './check-message.ts';
import { wordDate } from './scheduled-date.ts';
import {
  changeMessage,
  deleteUnsentMessage,
  findDuplicate,
  insertMessage,
  isDailySent,
  isDayTaken,
  lockMessage,
  type MessageFields,
  messageExists,
  type StoredMessage,
} from './scheduled-messages.repository.ts';

type Deps = Pick<ContentDeps, 'db' | 'clock'>;

/** Schedules a message on a local date, which can have one daily message. */
export async function scheduleMessage(
  { db, clock }: Deps,
  request: CreateScheduledMessageRequest,
  by: ActingAdmin,
): Promise<StoredMessage> {
  const now = clock.now();
  const fields = checkMessage(request, now);
  return db.transaction().execute(async (trx) => {
    await lockDuplicates(trx, 'message', ...Object.values(fields));
    const duplicate = await findDuplicate(trx, fields, duplicatesSince(now));
    if (duplicate !== undefined) return duplicate;
    const stored = await insertMessage(trx, newMessage(fields, now));
    if (stored === undefined) throw await rejectDate(trx, fields.scheduled_date);
    await publishScheduled(trx, stored, now);
    const { content: _words, ...details } = fields;
    await publishAdminAction(
      trx,
      'content',
      by,
      { action: 'message.scheduled', target: stored.id, details },
      now,
    );
    return stored;
  });
}

export const newMessage = (fields: MessageFields, now: Date): StoredMessage => ({
  ...fields,
  id: randomUUID(),
  version: 1,
  created_at: now,
  sent_at: null,
  sent_early: false,
});

/** Publishes the message in the transaction that changed it. */
export async function publishScheduled(trx: Trx, stored: StoredMessage, now: Date): Promise<void> {
  const { id, version, title, content, scheduled_date, scheduled_time, category } = stored;
  const data = { id, version, title, content, scheduled_date, scheduled_time, category };
  await publish(trx, contentEvents, 'content.message.scheduled', data, now);
}

/** Returns the error for a taken date. Only an unsent message can be replaced. */
export async function rejectDate(db: Db, date: string): Promise<Error> {
  const words = wordDate(Temporal.PlainDate.from(date));
  return (await isDailySent(db, date)) ? new DayIsSent(words) : new DayIsTaken(words);
}

/**
 * Changes an unsent message. Throws a conflict if the caller read another version, unless the change was already made.
 */
export async function updateMessage(
  { db, clock }: Deps,
  id: string,
  { version, ...request }: UpdateScheduledMessageRequest,
  by: ActingAdmin,
): Promise<void> {
  const now = clock.now();
  try {
    await db.transaction().execute(async (trx) => {
      const before = await lockMessage(trx, id);
      if (before === undefined) throw new UnknownMessage();
      const { category, scheduled_time } = before;
      const fields = checkMessage({ category, scheduled_time, ...request }, now);
      const changed = changedFields(before, fields);
      if (changed.length === 0) return;
      if (before.sent_at !== null) throw new AlreadySent();
      if (before.version !== version) throw new ChangedMeanwhile();
      await publishScheduled(trx, await changeMessage(trx, id, fields), now);
      const details = { title: fields.title, ...auditedChange(before, fields, changed) };
      await publishAdminAction(
        trx,
        'content',
        by,
        { action: 'message.changed', target: id, details },
        now,
      );
    });
  } catch (error) {
    throw isDayTaken(error) ? await rejectDate(db, request.scheduled_date.slice(0, 10)) : error;
  }
}

const changedFields = (before: StoredMessage, fields: MessageFields) =>
  (Object.keys(fields) as (keyof MessageFields)[]).filter((name) => before[name] !== fields[name]);

/** Old and new values; only whether text changed. */
const auditedChange = (
  before: StoredMessage,
  after: MessageFields,
  changed: (keyof MessageFields)[],
): Record<string, unknown> =>
  Object.fromEntries(
    changed.map((name) => [
      name,
      name === 'content' ? 'changed' : { from: before[name], to: after[name] },
    ]),
  );

/** Deletes an unsent message. */
export async function deleteMessage(
  { db, clock }: Deps,
  id: string,
  by: ActingAdmin,
): Promise<void> {
  const now = clock.now();
  await db.transaction().execute(async (trx) => {
    const deleted = await deleteUnsentMessage(trx, id);
    if (deleted === undefined)
      throw (await messageExists(trx, id)) ? new AlreadySent() : new UnknownMessage();
    const data = { id, version: deleted.version + 1 };
    await publish(trx, contentEvents, 'content.message.deleted', data, now);
    const { title, scheduled_date } = deleted;
    const details = { title, scheduled_date };
    await publishAdminAction(
      trx,
      'content',
      by,
      { action: 'message.deleted', target: id, details },
      now,
    );
  });
}
