import type { CreateScheduledMessageRequest } from '@daylift/contracts/content.http';
import { DateIsPast, NoSuchDate, TimeIsNight } from '../errors.ts';
import { checkContent, checkTitle } from '../words/check-content.ts';
import { isPast, readScheduledDate, wordDate } from './scheduled-date.ts';
import type { MessageFields } from './scheduled-messages.repository.ts';

/** Returns the normalized message, or throws. Shared by the form, changes and import lines. */
export function checkMessage(request: CreateScheduledMessageRequest, now: Date): MessageFields {
  const category = request.category ?? 'daily_motivation';
  const scheduled_time = request.scheduled_time ?? '08:00';
  if (category === 'announcement' && (scheduled_time < '08:00' || scheduled_time > '20:59'))
    throw new TimeIsNight();
  return {
    title: checkTitle(request.title),
    content: checkContent(request.content),
    scheduled_date: checkDate(request.scheduled_date, now).toString(),
    scheduled_time,
    category,
  };
}

function checkDate(text: string, now: Date): Temporal.PlainDate {
  const date = readScheduledDate(text);
  if (date === null) throw new NoSuchDate();
  if (isPast(date, now)) throw new DateIsPast(wordDate(date));
  return date;
}
