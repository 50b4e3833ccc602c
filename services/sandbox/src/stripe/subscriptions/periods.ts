import type { Interval } from '../catalogue/prices.ts';

/**
 * The first boundary after an instant, counted in whole intervals from the anchor. Counting from the
 * anchor each time brings an anchor of 31 January back to 31 March after 28 February.
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
