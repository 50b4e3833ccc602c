import { type CountryCode, getCountryCallingCode } from 'libphonenumber-js/min';

/** `44` for `GB`. Loads less than all numbering plans. */
export const callingCodeOf = (country: string): string =>
  getCountryCallingCode(country as CountryCode);
