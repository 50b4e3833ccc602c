import { dayMs } from '@daylift/clock/durations';
import type { Frequency } from '@daylift/contracts/fields';

/** Longest runway reported, in days. */
export const maxRunwayDays = 365;

/**
 * Returns the days from `today` until a subscriber's `texts`-th library text. `scheduledDays`, which have a scheduled
 * message, need none.
 */
export function daysLeft(
  texts: number,
  reader: { next_local_date: string; frequency: Frequency },
  scheduledDays: ReadonlySet<number>,
  today: string,
): number {
  if (texts === 0) return 0;
  const step = reader.frequency === 'weekly' ? 7 : 1;
  const start = dayOf(today);
  let day = dayOf(reader.next_local_date);
  let left = texts;
  for (;;) {
    const days = Math.max(0, day - start);
    if (days >= maxRunwayDays) return maxRunwayDays;
    if (!scheduledDays.has(day)) left -= 1;
    if (left === 0) return days;
    day += step;
  }
}

/** Returns the number of a date's day. Steps with numbers take a twentieth of the time of steps with dates. */
export const dayOf = (date: string): number => Date.parse(date) / dayMs;
