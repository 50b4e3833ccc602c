import type { ContentCalendar, ContentDay } from '@daylift/contracts/scheduled-messages.http';
import type { ContentDeps } from '../deps.ts';
import { countTemplates } from '../templates/templates.repository.ts';
import { findByDates, type MessageWithProgress } from './progress.repository.ts';
import { dateIn } from './scheduled-date.ts';
import { view } from './scheduled-message-view.ts';

export async function readCalendar(
  { db, clock, operatorTimeZone }: ContentDeps,
  days: number,
): Promise<ContentCalendar> {
  const from = dateIn(operatorTimeZone, clock.now());
  const dates = Array.from({ length: days }, (_, day) => from.add({ days: day }).toString());
  const [messages, { active }] = await Promise.all([
    findByDates(db, {
      from: from.toString(),
      until: dates.at(-1) ?? from.toString(),
      sentSince: new Date(from.toZonedDateTime(operatorTimeZone).epochMilliseconds),
    }),
    countTemplates(db),
  ]);
  const placed = messages.map((one) => ({ ...one, sent_on: earlyDate(one, operatorTimeZone) }));
  const shown = dates.map((date) => dayOf(date, placed));
  const days_without_message = shown.filter((one) => one.daily === null).length;
  return {
    days: shown,
    library: { active, days_without_message, is_enough: active >= days_without_message },
  };
}

/** Returns the operator's date on which a message was sent early, or null if it wasn't. */
function earlyDate(
  { sent_at, sent_early, scheduled_date, category }: MessageWithProgress,
  zone: string,
): string | null {
  if (sent_at === null) return null;
  // In the easternmost zone the date starts while it's still the day before elsewhere.
  const isEarly =
    category === 'daily_motivation'
      ? sent_early
      : sent_at.getTime() < Date.parse(`${scheduled_date}T00:00:00+14:00`);
  return isEarly ? dateIn(zone, sent_at).toString() : null;
}

function dayOf(
  date: string,
  messages: (MessageWithProgress & { sent_on: string | null })[],
): ContentDay {
  const own = messages.filter((one) => one.scheduled_date === date && one.sent_on === null);
  const daily = own.find((one) => one.category === 'daily_motivation');
  return {
    date,
    daily: daily === undefined ? null : view(daily, daily),
    announcements: own
      .filter((one) => one.category === 'announcement')
      .map((one) => view(one, one)),
    sent_early: messages.filter((one) => one.sent_on === date).map((one) => view(one, one)),
  };
}
