import type { PublicCatalogue } from '@daylift/contracts/billing.http';
import type { Currency } from '@daylift/contracts/plans';
import { useSyncExternalStore } from 'react';
import { useCatalogue } from '../catalogue.ts';
import { countryOfNumber, type PhoneCountry, toE164 } from './phone-numbers.ts';
import { visitorCountry } from './visitor-currency.ts';

const never = () => () => undefined;
const none: PhoneCountry[] = [];

/** Returns the countries that can sign up and the visitor's likely country. Both are empty while prerendering. */
export const usePhoneCountries = (): { countries: PhoneCountry[]; guess: string } => {
  const countries = useCatalogue()?.countries ?? none;
  const guess = useSyncExternalStore(
    never,
    () => visitorCountry(countries),
    () => '',
  );
  return { countries, guess };
};

/** Returns the currency of a number's country, or of the visitor's likely country before there is a number. */
export const useCurrencyOf = (number: string): Currency | undefined => {
  const { countries, guess } = usePhoneCountries();
  const country = countryOfNumber(number, countries, guess);
  return countries.find((one) => one.country === country)?.currency;
};

/** Returns the catalogue in the currency of the visitor's likely country. */
export const useVisitorCatalogue = (): PublicCatalogue | undefined => {
  const base = useCatalogue();
  return useCatalogue(useCurrencyOf('')) ?? base;
};

/** Returns a reader for the email or phone number of a sign-in. Only national phone numbers start with 0. */
export const useReadLogin = (): ((typed: string) => string) => {
  const { countries, guess } = usePhoneCountries();
  return (typed) =>
    /^\s*0[1-9]/.test(typed)
      ? toE164(
          typed,
          countries.find(({ country }) => country === guess),
        )
      : typed.trim();
};
