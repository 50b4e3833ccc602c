import type { Interval } from '../catalogue/catalogue.ts';

/**
 * Returns the first boundary after an instant, in whole intervals from the anchor. Counting from the anchor
 * brings an anchor of January 31 back to March 31 after February 28.
 */
export function nextBoundary(anchor: number, interval: Interval, after: number): number {
  const start = Temporal.Instant.fromEpochMilliseconds(anchor * 1000).toZonedDateTimeISO('UTC');
  const at = (count: number) =>
    Math.floor(start.add({ [`${interval}s`]: count }).epochMilliseconds / 1000);
  const longest = interval === 'month' ? 31 * 86_400 : 366 * 86_400;
  let count = Math.floor((after - anchor) / longest);
  while (at(count) <= after) count += 1;
  return at(count);
}
