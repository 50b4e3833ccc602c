import { useSyncExternalStore } from 'react';
import { useCatalogue } from '../catalogue.ts';
import { guessCountry, type PhoneCountry, toE164 } from './phone-numbers.ts';
import { guessZone } from './time-zones.ts';

const never = () => () => undefined;
const none: PhoneCountry[] = [];

/** Returns the countries that can sign up, and the visitor's likely one; the prerendered page knows none. */
export const usePhoneCountries = (): { countries: PhoneCountry[]; guess: string } => {
  const countries = useCatalogue()?.countries ?? none;
  const guess = useSyncExternalStore(
    never,
    () => guessCountry(countries, { zone: guessZone(), language: navigator.language || 'en' }),
    () => '',
  );
  return { countries, guess };
};

/** Reads an email or phone number of a sign-in. A leading 0 can only start a number of a country that writes it so. */
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
