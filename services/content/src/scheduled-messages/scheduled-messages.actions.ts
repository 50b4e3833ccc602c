import { randomUUID } from 'node:crypto';
import { contentEvents } from '@daylift/contracts/content.events';
import type { CreateScheduledMessageRequest } from '@daylift/contracts/content.http';
import { countSegments, maxParts } from '@daylift/delivery/segments';
import { publishAdminAction } from '@daylift/events/admin-actions';
import { publish } from '@daylift/events/publish';
import type { ActingAdmin } from '@daylift/server/acting-admin';
import type { Transaction } from 'kysely';
import type { ContentDatabase } from '../database.ts';
import type { ContentDeps } from '../deps.ts';
import {
  AlreadySent,
  BlankField,
  ContentTooLong,
  DateIsPast,
  DayIsSent,
  DayIsTaken,
  NoSuchDate,
  TimeIsNight,
  UnknownMessage,
  UnknownPlaceholder,
} from '../errors.ts';
import { cleanContent, cleanTitle } from './clean-text.ts';
import { isPast, readScheduledDate, wordDate } from './scheduled-date.ts';
import {
  deleteUnsentMessage,
  insertMessage,
  isDailySent,
  messageExists,
  type StoredMessage,
} from './scheduled-messages.repository.ts';

type Deps = Pick<ContentDeps, 'db' | 'clock'>;

/** Puts a message on a date of everybody's own calendar; a date has one daily message. */
export async function scheduleMessage(
  { db, clock }: Deps,
  request: CreateScheduledMessageRequest,
  by: ActingAdmin,
): Promise<StoredMessage> {
  const now = clock.now();
  const message = checkMessage(request, now);
  return db.transaction().execute(async (trx) => {
    const stored = await insertMessage(trx, message);
    if (stored === undefined) throw await refuseDate(trx, message.scheduled_date);
    const { id, version, title, content, scheduled_date, scheduled_time, category } = stored;
    const data = { id, version, title, content, scheduled_date, scheduled_time, category };
    await publish(trx, contentEvents, 'content.message.scheduled', data, now);
    const details = { title, scheduled_date, scheduled_time, category };
    await publishAdminAction(
      trx,
      'content',
      by,
      { action: 'message.scheduled', target: id, details },
      now,
    );
    return stored;
  });
}

/** Only a message that was not sent can make room for another. */
async function refuseDate(trx: Transaction<ContentDatabase>, date: string): Promise<Error> {
  const words = wordDate(Temporal.PlainDate.from(date));
  return (await isDailySent(trx, date)) ? new DayIsSent(words) : new DayIsTaken(words);
}

function checkMessage(request: CreateScheduledMessageRequest, now: Date): StoredMessage {
  const category = request.category ?? 'daily_motivation';
  const scheduled_time = request.scheduled_time ?? '08:00';
  if (category === 'announcement' && (scheduled_time < '08:00' || scheduled_time > '20:59'))
    throw new TimeIsNight();
  const title = cleanTitle(request.title);
  if (title === '') throw new BlankField('title');
  return {
    id: randomUUID(),
    version: 1,
    title,
    content: checkContent(request.content),
    scheduled_date: checkDate(request.scheduled_date, now).toString(),
    scheduled_time,
    category,
    created_at: now,
    sent_at: null,
  };
}

function checkDate(text: string, now: Date): Temporal.PlainDate {
  const date = readScheduledDate(text);
  if (date === null) throw new NoSuchDate();
  if (isPast(date, now)) throw new DateIsPast(wordDate(date));
  return date;
}

/** As sms-gateway reads it when it fills the name in: blanks inside the braces do not matter. */
const namePlace = /\{\{\s*first_name\s*\}\}/g;
/** Long enough a name that few are longer; a message is not refused for the one who is. */
const longName = 'N'.repeat(20);

function checkContent(text: string): string {
  const content = cleanContent(text);
  if (content === '') throw new BlankField('content');
  const unknown = content.match(/\{\{(?!\s*first_name\s*\}\})[^{}]*\}\}/);
  if (unknown !== null) throw new UnknownPlaceholder(unknown[0]);
  const { parts } = countSegments(content.replaceAll(namePlace, longName));
  if (parts > maxParts) throw new ContentTooLong(parts, maxParts);
  return content;
}

/** Takes back a message that has not been sent; whoever has had it keeps it. */
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
    await publishAdminAction(trx, 'content', by, { action: 'message.deleted', target: id }, now);
  });
}
