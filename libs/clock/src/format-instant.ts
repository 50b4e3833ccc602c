const formats = new Map<string, Intl.DateTimeFormat>();

/** Formats an instant for operators: `Mar 6, 2027, 9:00 AM EST`. */
export function formatInstant(instant: Date, timeZone: string): string {
  // Creating a format takes many times as long as using it.
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      year: 'numeric',
      month: 'short',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      timeZoneName: 'short',
    });
  formats.set(timeZone, format);
  return format.format(instant);
}
