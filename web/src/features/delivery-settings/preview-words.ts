import type { NextText } from '@daylift/contracts/scheduler.http';
import { formatDayAndFullHour, formatFullHour } from '@daylift/ui/formats';

/** Describes the effect of a change on today's text and the next one. */
export const previewWords = (
  before: NextText | undefined,
  after: NextText,
  today: string,
): string => {
  if (after.next_text_at === null)
    return `With this change, no text is scheduled. ${after.reason ?? ''}`.trim();
  const zone = after.timezone ?? undefined;
  const next = formatDayAndFullHour(after.next_text_at, zone);
  if (before?.next_text_at === after.next_text_at) return `Your next text is still ${next}.`;
  const comes = `Your next text will come ${next}.`;
  // Today may be another day in the new time zone.
  if (before?.timezone && before.timezone !== after.timezone) return comes;
  if (after.local_date === today)
    return `Today's text will come at ${formatFullHour(after.next_text_at, zone)}.`;
  return before?.local_date === today ? `There won't be a text today. ${comes}` : comes;
};
