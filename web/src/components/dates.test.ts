import { dayPart, localDateOf } from '@daylift/ui/formats';
import { expect, test } from 'vitest';

test.each([
  ['America/Los_Angeles', '2027-01-01T07:59:00Z', '2026-12-31'],
  ['America/Los_Angeles', '2027-01-01T08:00:00Z', '2027-01-01'],
  ['Pacific/Auckland', '2027-03-05T11:30:00Z', '2027-03-06'],
])('in %s it is at %s the %s', (zone, instant, date) => {
  expect(localDateOf(instant, zone)).toBe(date);
});

test('a zone unknown to the browser still has a date', () => {
  expect(localDateOf('2027-03-05T12:00:00Z', 'Middle/Earth')).toMatch(/^2027-03-0[456]$/);
});

test.each([
  [0, 'Late Night'],
  [5, 'Late Night'],
  [6, 'Morning'],
  [12, 'Afternoon'],
  [16, 'Afternoon'],
  [17, 'Evening'],
])('%i:00 is %s', (hour, part) => {
  expect(dayPart(hour)).toBe(part);
});
