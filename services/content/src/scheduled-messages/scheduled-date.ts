/** The date that a request names, as it is written: a time or an offset behind it changes nothing. Null for none. */
export function readScheduledDate(text: string): Temporal.PlainDate | null {
  try {
    return Temporal.PlainDate.from(text.slice(0, 10), { overflow: 'reject' });
  } catch {
    return null;
  }
}

/** A date is past once it is over in the last zone of the world, twelve hours behind UTC. */
export function isPast(date: Temporal.PlainDate, now: Date): boolean {
  return Temporal.PlainDate.compare(date, dateIn('Etc/GMT+12', now)) < 0;
}

export function dateIn(timeZone: string, now: Date): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDate();
}

/** For people, such as March 7, 2027. */
export function wordDate(date: Temporal.PlainDate): string {
  return date.toLocaleString('en-US', { dateStyle: 'long' });
}
