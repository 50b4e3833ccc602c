import {
  type CountryCode,
  getCountryCallingCode,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import { createError } from './error.ts';

const InvalidPhone = createError(
  'INVALID_PHONE',
  "This number is too short or doesn't exist. Check the digits and the country code.",
  400,
);
const PhoneTypeRefused = createError(
  'INVALID_PHONE',
  "We can't text personal, toll-free, premium-rate or satellite numbers. Please use a mobile number.",
  400,
);
const CountryNotServed = createError(
  'COUNTRY_NOT_SERVED',
  "We can't text numbers in this country yet.",
  400,
);

export type ReadPhone = (input: string) => string;

const defaultCountry: CountryCode = 'US';
/** Types that are expensive or can't get texts. */
const rejectedTypes = new Set([
  'PERSONAL_NUMBER',
  'TOLL_FREE',
  'PREMIUM_RATE',
  'SHARED_COST',
  'PAGER',
  'UAN',
  'VOICEMAIL',
]);
/** Short codes and expensive ranges by country, where libphonenumber knows no valid numbers. */
const rejectedRanges = new RegExp(
  `^\\+(?:${[
    '\\d{1,7}$',
    '1(?:8(?:00|33|44|55|66|77|88)|900|456|600|7[01]0|[2-9]11|5(?:00|2[1-9]|33|44|66|77|88)|6(?:22|33|44|55|77|88))\\d{7}$',
    '44(?:70|76(?!24)|80|84|87|9|3|55|56)',
    '49(?:180|700|900)|6114[57]|81(?:20|990)|861(?:349|740)',
    '8(?:70|8[1-3])|979',
  ].join('|')})`,
);
/** Area codes of the other countries with +1. */
const otherPlusOneAreaCodes =
  /^\+1(?:242|246|26[48]|284|34[05]|441|473|649|658|66[4]|67[01]|684|721|758|767|78[47]|809|829|849|86[89]|876|939)/;

export function createReadPhone(allowedCountries: readonly string[]): ReadPhone {
  const countries = new Set(allowedCountries);
  const callingCodes = new Set(
    allowedCountries.map((country) => getCountryCallingCode(country as CountryCode)),
  );
  return (input) => {
    const number = parsePhone(input);
    // Possible rather than valid: numbering plans change faster than tables. The provider has the final say.
    if (number === undefined || number.ext !== undefined || !number.isPossible())
      throw new InvalidPhone();
    if (rejectedTypes.has(number.getType() ?? '') || rejectedRanges.test(number.number))
      throw new PhoneTypeRefused();
    const served =
      number.country === undefined
        ? callingCodes.has(number.countryCallingCode) && !otherPlusOneAreaCodes.test(number.number)
        : countries.has(number.country);
    if (!served) throw new CountryNotServed();
    return number.number;
  };
}

export function countryOf(number: string): string {
  const parsed = parsePhone(number);
  return parsed?.country ?? `+${parsed?.countryCallingCode ?? ''}`;
}

function parsePhone(input: string): PhoneNumber | undefined {
  // Most countries dial 00 instead of a plus; no home country number starts with it.
  const international = input.trim().replace(/^00/, '+');
  return parsePhoneNumberFromString(international, { defaultCountry, extract: false });
}
