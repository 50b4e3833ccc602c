const zoned = (instant: Date) =>
  Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO('UTC');

/** Returns the first renewal at or after an instant, in whole periods from the anchor, as the provider counts them. */
export function renewalFrom(anchor: Date, months: number, earliest: Date): Date {
  const start = zoned(anchor);
  const passed = start.until(zoned(earliest), { largestUnit: 'months' }).months;
  let count = Math.max(0, Math.floor(passed / months)) * months;
  const at = () => new Date(start.add({ months: count }).epochMilliseconds);
  while (at() < earliest) count += months;
  return at();
}
