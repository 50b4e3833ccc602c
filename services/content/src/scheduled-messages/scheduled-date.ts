/** Returns the date as written, ignoring a time or offset, or null if invalid. */
export function readScheduledDate(text: string): Temporal.PlainDate | null {
  try {
    return Temporal.PlainDate.from(text.slice(0, 10), { overflow: 'reject' });
  } catch {
    return null;
  }
}

/** Returns whether a date is over in every zone, the last one being twelve hours behind UTC. */
export function isPast(date: Temporal.PlainDate, now: Date): boolean {
  return Temporal.PlainDate.compare(date, dateIn('Etc/GMT+12', now)) < 0;
}

export function dateIn(timeZone: string, now: Date): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDate();
}

/** Formats a date, such as March 7, 2027. */
export function wordDate(date: Temporal.PlainDate): string {
  return date.toLocaleString('en-US', { dateStyle: 'long' });
}
