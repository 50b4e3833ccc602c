import { expect, it } from 'vitest';
import { nextBoundary } from './periods.ts';

const at = (text: string) => Date.parse(text) / 1000;
const iso = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 19);

it.each([
  ['month', '2027-01-31T10:00:00Z', '2027-01-31T10:00:00Z', '2027-02-28T10:00:00'],
  ['month', '2027-01-31T10:00:00Z', '2027-02-28T10:00:00Z', '2027-03-31T10:00:00'],
  ['month', '2027-01-31T10:00:00Z', '2027-03-31T10:00:00Z', '2027-04-30T10:00:00'],
  ['month', '2028-01-31T10:00:00Z', '2028-02-01T00:00:00Z', '2028-02-29T10:00:00'],
  ['year', '2028-02-29T10:00:00Z', '2028-02-29T10:00:00Z', '2029-02-28T10:00:00'],
  ['year', '2028-02-29T10:00:00Z', '2031-02-28T10:00:00Z', '2032-02-29T10:00:00'],
  ['week', '2027-03-06T00:00:00Z', '2027-03-06T00:00:00Z', '2027-03-13T00:00:00'],
  ['day', '2027-03-06T00:00:00Z', '2037-03-06T12:00:00Z', '2037-03-07T00:00:00'],
] as const)('a %s counted from %s ends after %s at %s', (interval, anchor, after, end) => {
  expect(iso(nextBoundary(at(anchor), interval, 1, at(after)))).toBe(end);
});

it('counts several intervals as one period', () => {
  const anchor = at('2027-01-15T00:00:00Z');
  expect(iso(nextBoundary(anchor, 'month', 3, anchor))).toBe('2027-04-15T00:00:00');
});
