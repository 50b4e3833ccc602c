/**
 * Returns the instant at which a clock in `timeZone` first shows `hour` (and `minute`) of `localDate`. The only place
 * in the product that turns a local time into an instant.
 *
 * A repeated hour means its first occurrence. A skipped hour means the first valid instant after the gap, unlike
 * Temporal's `compatible`, which shifts by the length of the gap: mid-hour after a gap of 30 minutes, and a day late
 * where a whole date was skipped (Pacific/Apia, December 30, 2011). That instant can have the next date:
 * America/Nuuk skips 23:00, the last hour of a Saturday in March.
 */
export function sendInstant(
  localDate: string,
  hour: number,
  timeZone: string,
  minute: number = 0,
): Date {
  const wall = Temporal.PlainDate.from(localDate).toPlainDateTime(
    new Temporal.PlainTime(hour, minute),
  );
  const found = wall.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  if (found.toPlainDateTime().equals(wall)) return new Date(found.epochMilliseconds);
  // In a gap, `earlier` returns an instant before it, so the next change of the offset is the end of the gap.
  const gap = found.getTimeZoneTransition('next');
  if (gap === null) throw new RangeError(`${timeZone} has a gap without an end at ${localDate}`);
  return new Date(gap.epochMilliseconds);
}
