/** Old names by country, such as US/Eastern, which are only other words for a place. */
const aliasByCountry = /^(US|Canada|Mexico|Brazil|Chile)\//;

/**
 * The IANA name as it is written, or null. Only names of places (and UTC): an abbreviation such as EST or an offset names
 * no rule for summer time, although the runtime would take it.
 */
export function nameOfTimeZone(input: string): string | null {
  const isPlace = /^[A-Za-z_]+(\/[A-Za-z0-9_+-]+)+$/.test(input);
  if (!isPlace && input.toUpperCase() !== 'UTC') return null;
  try {
    const zone = Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(input).timeZoneId;
    return aliasByCountry.test(zone)
      ? new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
      : zone;
  } catch {
    return null;
  }
}
