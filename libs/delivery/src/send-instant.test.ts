import { dayMs, hourMs } from '@daylift/clock/durations';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dates, days, firstDate, zones } from '../test/every-instant.ts';
import { readWallClock } from '../test/wall-clock.ts';
import { sendInstant } from './send-instant.ts';

describe('the send instant', () => {
  test('matches the wall clock at any minute of the day', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: 0, max: days - 1 }),
        fc.integer({ min: 0, max: 23 }),
        fc.integer({ min: 0, max: 59 }),
        (zone, day, hour, minute) => {
          const midnight = firstDate + day * dayMs;
          const clock = readWallClock(zone, midnight - 2 * dayMs, midnight + 2 * dayMs);
          const wanted = midnight + (hour * 60 + minute) * 60_000;
          let instant = midnight - 26 * hourMs;
          while (clock.at(instant) < wanted) instant += 60_000;
          expect(sendInstant(dates[day] ?? '', hour, zone, minute).getTime()).toBe(instant);
        },
      ),
      { numRuns: 300 },
    );
  });

  test.each([
    ['an ordinary hour', '2027-03-06', 9, 'America/New_York', '2027-03-06T14:00:00.000Z'],
    ['a skipped hour', '2027-03-14', 2, 'America/New_York', '2027-03-14T07:00:00.000Z'],
    ['the hour after it', '2027-03-14', 3, 'America/New_York', '2027-03-14T07:00:00.000Z'],
    ['a repeated hour', '2027-11-07', 1, 'America/New_York', '2027-11-07T05:00:00.000Z'],
    ['a gap of 30 minutes', '2027-10-03', 2, 'Australia/Lord_Howe', '2027-10-02T15:30:00.000Z'],
    ['a gap across a full hour', '2027-09-26', 3, 'Pacific/Chatham', '2027-09-25T14:00:00.000Z'],
    ['a midnight that is skipped', '2027-03-14', 0, 'America/Havana', '2027-03-14T05:00:00.000Z'],
    ['a last hour that is skipped', '2027-03-27', 23, 'America/Nuuk', '2027-03-28T01:00:00.000Z'],
    ['a whole date that is skipped', '2011-12-30', 9, 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
    ['a zone off by 45 minutes', '2027-07-01', 7, 'Asia/Kathmandu', '2027-07-01T01:15:00.000Z'],
  ])('of %s', (_what, date, hour, zone, instant) => {
    expect(sendInstant(date, hour, zone).toISOString()).toBe(instant);
  });

  test('never goes back from one hour of a day to the next', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: 0, max: days - 1 }),
        fc.integer({ min: 0, max: 22 }),
        (zone, day, hour) => {
          const date = dates[day] ?? '';
          expect(sendInstant(date, hour + 1, zone).getTime()).toBeGreaterThanOrEqual(
            sendInstant(date, hour, zone).getTime(),
          );
        },
      ),
    );
  });
});
