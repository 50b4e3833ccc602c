/** The date on the subscriber's own calendar. */
export function localDateOf(now: Date, timezone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(timezone)
    .toPlainDate();
}

/** ISO weekday of the subscriber's tomorrow: the day of the first text, and of all weekly ones after it. */
export function weekdayOfTomorrow(now: Date, timezone: string): number {
  return localDateOf(now, timezone).add({ days: 1 }).dayOfWeek;
}
