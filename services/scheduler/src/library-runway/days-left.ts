import type { Frequency } from '@daylift/contracts/fields';

/** Longest runway reported, in days. */
export const longestRunway = 365;

/**
 * Returns the days from `today` until a subscriber's `texts`-th library text. Dates with a scheduled message need none.
 */
export function daysLeft(
  texts: number,
  reader: { next_local_date: string; frequency: Frequency },
  scheduledDates: ReadonlySet<string>,
  today: string,
): number {
  if (texts === 0) return 0;
  const step = { days: reader.frequency === 'weekly' ? 7 : 1 };
  const start = Temporal.PlainDate.from(today);
  let date = Temporal.PlainDate.from(reader.next_local_date);
  let left = texts;
  for (;;) {
    const days = Math.max(0, start.until(date).days);
    if (days >= longestRunway) return longestRunway;
    if (!scheduledDates.has(date.toString())) left -= 1;
    if (left === 0) return days;
    date = date.add(step);
  }
}
