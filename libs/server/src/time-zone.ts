/** Old names by country, such as US/Eastern, are aliases of places. */
const aliasByCountry = /^(US|Canada|Mexico|Brazil|Chile)\//;

/**
 * Returns the canonical IANA name, or null. Accepts only places and UTC: abbreviations such as EST and offsets define
 * no daylight saving time, although the runtime accepts them.
 */
export function canonicalTimeZone(input: string): string | null {
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
