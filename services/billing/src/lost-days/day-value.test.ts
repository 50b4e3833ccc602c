import { expect, it } from 'vitest';
import { dayCents, startOf } from './day-value.ts';

it.each([
  // 31 days: 16.1 cents; 28 days: 17.8; 365 days: 13.7; 366 days: 13.66.
  ['monthly', 499, '2027-04-06T00:00:00Z', 'daily', 17],
  ['monthly', 499, '2027-03-06T00:00:00Z', 'daily', 18],
  ['yearly', 4999, '2028-02-06T00:00:00Z', 'daily', 14],
  ['yearly', 4999, '2028-03-06T23:59:59Z', 'daily', 14],
  // 7 of 31 days: 112.7 cents; 7 of 365 days: 95.9.
  ['monthly', 499, '2027-04-06T00:00:00Z', 'weekly', 113],
  ['yearly', 4999, '2028-02-06T00:00:00Z', 'weekly', 96],
  // 28 days: 10 cents, exactly.
  ['monthly', 280, '2027-03-06T00:00:00Z', 'daily', 10],
  ['monthly', 280, '2027-03-06T00:00:00Z', 'weekly', 70],
] as const)('a day of %s at %i cents until %s, %s, is worth %i cents', (...given) => {
  const [plan, price_cents, last, frequency, cents] = given;
  const end = new Date(last);
  expect(dayCents({ price_cents, start: startOf(plan, end), end }, frequency)).toBe(cents);
});

it.each([
  // 28 days: 17.8 cents; 31 days: 16.1.
  ['2027-01-31T00:00:00Z', '2027-02-28T00:00:00Z', 18],
  ['2027-02-28T00:00:00Z', '2027-03-31T00:00:00Z', 17],
])('a day from %s to %s is worth %i cents', (start, end, cents) => {
  const period = { price_cents: 499, start: new Date(start), end: new Date(end) };
  expect(dayCents(period, 'daily')).toBe(cents);
});
