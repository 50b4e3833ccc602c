/**
 * Returns the first boundary after an instant, in whole periods from the anchor. Counting from the anchor
 * brings an anchor of January 31 back to March 31 after February 28.
 */
export function nextBoundary(anchor: number, months: number, after: number): number {
  const start = Temporal.Instant.fromEpochMilliseconds(anchor * 1000).toZonedDateTimeISO('UTC');
  const at = (count: number) =>
    Math.floor(start.add({ months: count * months }).epochMilliseconds / 1000);
  let count = Math.floor((after - anchor) / (months * 31 * 86_400));
  while (at(count) <= after) count += 1;
  return at(count);
}
