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
    findByDates(db, from.toString(), dates.at(-1) ?? from.toString()),
    countTemplates(db),
  ]);
  const shown = dates.map((date) =>
    dayOf(
      date,
      messages.filter((one) => one.scheduled_date === date),
    ),
  );
  const days_without_message = shown.filter((one) => one.daily === null).length;
  return {
    days: shown,
    library: { active, days_without_message, is_enough: active >= days_without_message },
  };
}

function dayOf(date: string, messages: MessageWithProgress[]): ContentDay {
  const daily = messages.find((one) => one.category === 'daily_motivation' && !one.sent_early);
  return {
    date,
    daily: daily === undefined ? null : view(daily, daily),
    announcements: messages
      .filter((one) => one.category === 'announcement')
      .map((one) => view(one, one)),
  };
}
