import { UnknownTimeZone } from '../errors.ts';

/** Old names by country, such as US/Eastern, which are only other words for a place. */
const aliasByCountry = /^(US|Canada|Mexico|Brazil|Chile)\//;

/**
 * The IANA name as it is written. Only names of places (and UTC): an abbreviation such as EST or an offset names no
 * rule for summer time, although the runtime would take it.
 */
export function readTimeZone(input: string): string {
  const isPlace = /^[A-Za-z_]+(\/[A-Za-z0-9_+-]+)+$/.test(input);
  if (!isPlace && input.toUpperCase() !== 'UTC') throw new UnknownTimeZone();
  try {
    const zone = Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(input).timeZoneId;
    return aliasByCountry.test(zone)
      ? new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
      : zone;
  } catch {
    throw new UnknownTimeZone();
  }
}
