import { expect, test } from 'vitest';
import { countryOfNumber, guessCountry, toE164 } from './phone-numbers.ts';

const countries = [
  { country: 'US', calling_code: '1' },
  { country: 'CA', calling_code: '1' },
  { country: 'GB', calling_code: '44' },
  { country: 'MX', calling_code: '52' },
];
const of = (code: string) => countries.find(({ country }) => country === code);

test.each([
  ['07700 900512', 'GB', '+447700900512'],
  ['(0)7700-900 512', 'GB', '+447700900512'],
  ['7700900512', 'GB', '+447700900512'],
  ['(415) 555-0143', 'US', '+14155550143'],
  ['1 415 555 0143', 'US', '+14155550143'],
  ['55 1234 5678', 'MX', '+525512345678'],
  [' +33 6 12 34 56 78 ', 'GB', '+33 6 12 34 56 78'],
  ['0033 6 12 34 56 78', 'GB', '0033 6 12 34 56 78'],
  ['call me', 'GB', 'call me'],
  ['', 'GB', ''],
  ['07700 900512', '??', '07700 900512'],
])('%s in %s is sent as %s', (typed, country, sent) => {
  expect(toE164(typed, of(country))).toBe(sent);
});

test.each([
  ['Europe/London', 'en-US', 'GB'],
  ['America/Toronto', 'en-US', 'CA'],
  ['America/Denver', 'en-GB', 'US'],
  ['Europe/Madrid', 'en-GB', 'GB'],
  ['', 'es-MX', 'MX'],
  ['Europe/Madrid', 'es', 'US'],
])(
  'guesses from time zone %j and language %s that a visitor is in %s',
  (zone, language, country) => {
    expect(guessCountry(countries, { zone, language })).toBe(country);
  },
);

test('an international number shows its own country', () => {
  expect(countryOfNumber('+447700900512', countries, 'US')).toBe('GB');
  expect(countryOfNumber('+14165550143', countries, 'CA')).toBe('CA');
  expect(countryOfNumber('+14165550143', countries, 'GB')).toBe('US');
  expect(countryOfNumber('0770', countries, 'GB')).toBe('GB');
});
