import { expect, it } from 'vitest';
import { renewalFrom } from './renewal-dates.ts';

it.each([
  ['2027-01-31', 1, '2027-02-01', '2027-02-28'],
  ['2027-01-31', 1, '2027-03-01', '2027-03-31'],
  ['2027-01-31', 1, '2027-02-28', '2027-02-28'],
  ['2027-03-10', 1, '2027-02-01', '2027-03-10'],
  ['2024-02-29', 12, '2025-01-01', '2025-02-28'],
  ['2024-02-29', 12, '2027-03-01', '2028-02-29'],
])('a plan of %s with %i months renews from %s on %s', (anchor, months, from, renewal) =>
  expect(renewalFrom(new Date(anchor), months, new Date(from))).toEqual(new Date(renewal)),
);
