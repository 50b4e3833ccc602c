import type { Interval } from '../catalogue/prices.ts';

/**
 * Returns the first boundary after an instant, in whole intervals from the anchor. Counting from the anchor
 * brings an anchor of January 31 back to March 31 after February 28.
 */
export function nextBoundary(
  anchor: number,
  interval: Interval,
  count: number,
  after: number,
): number {
  const start = Temporal.Instant.fromEpochMilliseconds(anchor * 1000).toZonedDateTimeISO('UTC');
  const unit = UNITS[interval];
  const at = (periods: number) =>
    Math.floor(start.add({ [unit]: count * periods }).epochMilliseconds / 1000);
  let periods = Math.floor((after - anchor) / (LONGEST[interval] * count));
  while (at(periods) <= after) periods += 1;
  return at(periods);
}

const UNITS = { day: 'days', week: 'weeks', month: 'months', year: 'years' } as const;
const DAY = 86_400;
const LONGEST = { day: DAY, week: 7 * DAY, month: 31 * DAY, year: 366 * DAY };
