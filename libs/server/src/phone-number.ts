import {
  type CountryCode,
  getCountryCallingCode,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import { createError } from './error.ts';

const InvalidPhone = createError(
  'INVALID_PHONE',
  'This is not a phone number that can get texts. Please write it with its country code, such as +1 312 555 0123.',
  400,
);
const CountryNotServed = createError(
  'COUNTRY_NOT_SERVED',
  'We cannot send texts to numbers of this country yet.',
  400,
);

/** A number as a person types it, to E.164; throws the error that tells what is wrong with it. */
export type ReadPhone = (input: string) => string;

/** Where a number without a country code is taken to be from. */
const homeCountry: CountryCode = 'US';
/** Dialled at the caller's cost, or not a phone at all. */
const refusedTypes = new Set(['PREMIUM_RATE', 'SHARED_COST', 'PAGER', 'UAN', 'VOICEMAIL']);

export function createReadPhone(allowedCountries: readonly string[]): ReadPhone {
  const countries = new Set(allowedCountries);
  const callingCodes = new Set(
    allowedCountries.map((country) => getCountryCallingCode(country as CountryCode)),
  );
  return (input) => {
    const number = parsePhone(input);
    // Possible rather than valid: numbering plans grow faster than tables of them. The provider has the last word.
    if (number === undefined || number.ext !== undefined || !number.isPossible())
      throw new InvalidPhone();
    if (refusedTypes.has(number.getType() ?? '')) throw new InvalidPhone();
    const served =
      number.country === undefined
        ? callingCodes.has(number.countryCallingCode)
        : countries.has(number.country);
    if (!served) throw new CountryNotServed();
    return number.number;
  };
}

function parsePhone(input: string): PhoneNumber | undefined {
  // Most of the world dials 00 where a plus is written; no number of the home country starts with it.
  const international = input.trim().replace(/^00/, '+');
  return parsePhoneNumberFromString(international, { defaultCountry: homeCountry, extract: false });
}
