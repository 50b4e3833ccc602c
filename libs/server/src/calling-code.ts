import { type CountryCode, getCountryCallingCode } from 'libphonenumber-js/min';

/** Returns `44` for `GB`, without loading all numbering plans. */
export const callingCodeOf = (country: string): string =>
  getCountryCallingCode(country as CountryCode);
