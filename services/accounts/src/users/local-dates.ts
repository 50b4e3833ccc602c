export function localDateOf(now: Date, timezone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(timezone)
    .toPlainDate();
}

/** Returns the ISO weekday of the subscriber's tomorrow: the day of the first text and of all weekly ones. */
export function weekdayOfTomorrow(now: Date, timezone: string): number {
  return localDateOf(now, timezone).add({ days: 1 }).dayOfWeek;
}
