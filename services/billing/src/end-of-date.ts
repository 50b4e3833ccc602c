/** Returns the last second of a date in a time zone, so that date is included. */
export function endOfDate(date: string, timeZone: string): Date {
  const next = Temporal.PlainDate.from(date).add({ days: 1 });
  return new Date(next.toZonedDateTime(timeZone).epochMilliseconds - 1_000);
}
