import { formatExactInstant, formatInstant, startOfDate } from '@daylift/ui/formats';
import { expect, test } from 'vitest';

test.each([
  ['America/New_York', '2027-03-06T14:04:12Z', 'Mar 6, 9:04 AM EST'],
  ['America/New_York', '2027-07-06T16:04:12Z', 'Jul 6, 12:04 PM EDT'],
  ['America/New_York', '2026-03-06T14:04:12Z', 'Mar 6, 2026, 9:04 AM EST'],
  // The zone's own year decides.
  ['America/New_York', '2027-01-01T03:00:00Z', 'Dec 31, 2026, 10:00 PM EST'],
  ['Asia/Tokyo', '2026-12-31T16:00:00Z', 'Jan 1, 1:00 AM GMT+9'],
])('a time in %s is short, 12-hour and has its zone', (zone, instant, words) => {
  expect(formatInstant(instant, '2027-08-01T12:00:00Z', zone)).toBe(words);
});

test('an exact time has seconds and zone', () => {
  expect(formatExactInstant('2027-03-06T14:04:12Z', 'America/New_York')).toBe(
    'Saturday, March 6, 2027 at 9:04:12 AM EST',
  );
});

test.each([
  ['America/New_York', '2027-03-14', '2027-03-14T05:00:00.000Z'],
  ['America/New_York', '2027-03-15', '2027-03-15T04:00:00.000Z'],
  ['Asia/Kolkata', '2027-03-15', '2027-03-14T18:30:00.000Z'],
  ['Pacific/Auckland', '2027-04-04', '2027-04-03T11:00:00.000Z'],
  ['Pacific/Auckland', '2027-04-05', '2027-04-04T12:00:00.000Z'],
  ['UTC', 'soon', undefined],
])('in %s the date %s starts at %s', (zone, date, instant) => {
  expect(startOfDate(date, zone)).toBe(instant);
});
