import type { PublicCatalogue } from '@daylift/contracts/billing.http';

export type PhoneCountry = PublicCatalogue['countries'][number];

type ZonedLocale = Intl.Locale & { getTimeZones?: () => string[] | undefined };

const hasZone = (country: string, zone: string): boolean =>
  (new Intl.Locale(`und-${country}`) as ZonedLocale).getTimeZones?.()?.includes(zone) ?? false;

/** Guesses a visitor's country from the time zone or else the language; defaults to the first one. */
export const guessCountry = (
  countries: readonly PhoneCountry[],
  { zone, language }: { zone: string; language: string },
): string => {
  const region = new Intl.Locale(language).region;
  const guess =
    countries.find(({ country }) => hasZone(country, zone)) ??
    countries.find(({ country }) => country === region) ??
    countries[0];
  return guess?.country ?? '';
};

/**
 * Makes a national number international: `07700 900512` in GB becomes `+447700900512`. Trims other input, which the
 * server validates.
 */
export const toE164 = (typed: string, country: PhoneCountry | undefined): string => {
  const digits = typed.replaceAll(/[\s().\-/]/g, '');
  if (!country || !/^\d+$/.test(digits) || digits.startsWith('00')) return typed.trim();
  const trunk = country.calling_code === '1' ? /^1/ : /^0/;
  return `+${country.calling_code}${digits.replace(trunk, '')}`;
};

/** Removes the calling code, so another country can be applied: `+447700900512` of GB becomes `7700900512`. */
export const withoutCallingCode = (typed: string, country: PhoneCountry | undefined): string => {
  const prefix = `+${country?.calling_code}`;
  return typed.startsWith(prefix) ? typed.slice(prefix.length).trim() : typed;
};

/** Returns the country of an international number, preferring `expected` where several share a calling code. */
export const countryOfNumber = (
  number: string,
  countries: readonly PhoneCountry[],
  expected: string,
): string => {
  const matching = countries.filter(({ calling_code }) => number.startsWith(`+${calling_code}`));
  return (matching.find(({ country }) => country === expected) ?? matching[0])?.country ?? expected;
};

/** Returns what to tell someone whose number is surely too short, or null. After +1 there are always ten digits. */
export const phoneTooShort = (number: string): string | null =>
  number.replaceAll(/\D/g, '').length < (number.startsWith('+1') ? 11 : 7)
    ? "This number is too short or doesn't exist. Check the digits and the country code."
    : null;
