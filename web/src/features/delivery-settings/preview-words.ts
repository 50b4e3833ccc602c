import type { NextText } from '@daylift/contracts/scheduler.http';
import { formatDayAndFullHour, formatFullHour } from '@daylift/ui/formats';

/** What a change does to the text of today, and when the next one comes. Nothing is said of what is not known. */
export const previewWords = (
  before: NextText | undefined,
  after: NextText,
  today: string,
): string => {
  if (after.next_text_at === null)
    return `With this no text is planned. ${after.reason ?? ''}`.trim();
  const zone = after.timezone ?? undefined;
  const next = formatDayAndFullHour(after.next_text_at, zone);
  if (before?.next_text_at === after.next_text_at)
    return `Your next text stays where it is: ${next}.`;
  if (after.local_date === today)
    return `Today's text then comes at ${formatFullHour(after.next_text_at, zone)}.`;
  if (before === undefined) return `Your next text then comes ${next}.`;
  return before.local_date === today
    ? `No text comes today any more. The next one comes ${next}.`
    : `Nothing changes for today. Your next text comes ${next}.`;
};
