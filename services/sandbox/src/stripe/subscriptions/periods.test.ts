import { expect, it } from 'vitest';
import { nextBoundary } from './periods.ts';

const at = (text: string) => Date.parse(text) / 1000;
const iso = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 19);

it.each([
  [1, '2027-01-31T10:00:00Z', '2027-01-31T10:00:00Z', '2027-02-28T10:00:00'],
  [1, '2027-01-31T10:00:00Z', '2027-02-28T10:00:00Z', '2027-03-31T10:00:00'],
  [1, '2027-01-31T10:00:00Z', '2027-03-31T10:00:00Z', '2027-04-30T10:00:00'],
  [1, '2028-01-31T10:00:00Z', '2028-02-01T00:00:00Z', '2028-02-29T10:00:00'],
  [3, '2027-11-30T10:00:00Z', '2027-12-05T00:00:00Z', '2028-02-29T10:00:00'],
  [12, '2028-02-29T10:00:00Z', '2028-02-29T10:00:00Z', '2029-02-28T10:00:00'],
  [12, '2028-02-29T10:00:00Z', '2031-02-28T10:00:00Z', '2032-02-29T10:00:00'],
] as const)(
  'a period of %i months from %s that ends after %s ends at %s',
  (months, anchor, after, end) => {
    expect(iso(nextBoundary(at(anchor), months, at(after)))).toBe(end);
  },
);
