import type { Currency } from '@daylift/contracts/plans';
import { guessCountry, type PhoneCountry } from './phone-numbers.ts';
import { guessZone } from './time-zones.ts';

export const visitorCountry = (countries: readonly PhoneCountry[]): string =>
  guessCountry(countries, { zone: guessZone(), language: navigator.language || 'en' });

/** Returns the currency of the visitor's likely country. */
export const visitorCurrency = (countries: readonly PhoneCountry[]): Currency | undefined => {
  const guess = visitorCountry(countries);
  return countries.find(({ country }) => country === guess)?.currency;
};
