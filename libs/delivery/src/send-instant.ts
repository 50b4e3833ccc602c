/**
 * The instant at which a clock on the wall in `timeZone` first shows `hour` (and `minute`) of `localDate`. This is the
 * only place in the product that turns a local time into an instant.
 *
 * An hour that comes twice means its first coming. An hour that the clocks skip means the first valid instant after
 * the gap: not Temporal's `compatible`, which shifts by the length of the gap and so lands in the middle of an hour
 * after a gap of 30 minutes, and a whole day late where a whole date was skipped (Pacific/Apia, 30 December 2011).
 * That first instant can bear the next date: America/Nuuk skips 23:00, the last hour of a Saturday in March.
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
  // In a gap, `earlier` counts back with the offset that holds after it and so stands before it; the next change of
  // the offset is the end of the gap.
  const gap = found.getTimeZoneTransition('next');
  if (gap === null) throw new RangeError(`${timeZone} has a gap without an end at ${localDate}`);
  return new Date(gap.epochMilliseconds);
}
