import { hourMs, minuteMs } from '@daylift/clock/durations';
import type { SendWindow } from '@daylift/contracts/scheduler.events';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dates, days, zones } from '../test/every-instant.ts';
import { readWallClock } from '../test/wall-clock.ts';
import { sendInstant } from './send-instant.ts';
import {
  announcementWindow,
  chosenHourEnds,
  dateExists,
  isQuietHours,
  localDateAt,
  manualSendWindow,
  nextMorning,
  responseWindows,
  sendWindows,
} from './send-windows.ts';

const span = (opens: string, closes: string): SendWindow => ({
  opens_at: new Date(opens).toISOString(),
  closes_at: new Date(closes).toISOString(),
});
const contains = (windows: SendWindow[], instant: number): boolean =>
  windows.some((one) => Date.parse(one.opens_at) <= instant && instant < Date.parse(one.closes_at));

/** Returns dates of the zone's clock changes, so properties test them as often as ordinary days. */
function changeDates(zone: string): string[] {
  const found: string[] = [];
  let at = Temporal.Instant.from('2026-01-02T00:00Z').toZonedDateTimeISO(zone);
  for (;;) {
    const next = at.getTimeZoneTransition('next');
    if (next === null || next.year > 2027) return found;
    found.push(next.toPlainDate().subtract({ days: 1 }).toString(), next.toPlainDate().toString());
    at = next;
  }
}

const zoneAndDate = fc
  .constantFrom(...zones)
  .chain((zone) =>
    fc.tuple(fc.constant(zone), fc.constantFrom(...dates.slice(1, days - 1), ...changeDates(zone))),
  );
const zoneAndChange = fc
  .constantFrom(...zones.filter((zone) => changeDates(zone).length > 0))
  .chain((zone) => fc.tuple(fc.constant(zone), fc.constantFrom(...changeDates(zone))));

describe('send windows', () => {
  test.each([
    ['09:00', 9, '2027-03-06', 'America/New_York', [['2027-03-06T14:00Z', '2027-03-06T17:00Z']]],
    ['07:00', 7, '2027-03-06', 'Asia/Tokyo', [['2027-03-05T22:00Z', '2027-03-06T01:00Z']]],
    [
      '06:00',
      6,
      '2027-03-06',
      'Asia/Tokyo',
      [
        ['2027-03-05T21:00Z', '2027-03-05T22:00Z'],
        ['2027-03-05T23:00Z', '2027-03-06T00:00Z'],
      ],
    ],
    ['05:00', 5, '2027-03-06', 'Asia/Tokyo', [['2027-03-05T20:00Z', '2027-03-05T21:00Z']]],
    ['19:00', 19, '2027-03-06', 'Europe/Paris', [['2027-03-06T18:00Z', '2027-03-06T20:00Z']]],
    ['20:00', 20, '2027-03-06', 'Europe/Paris', [['2027-03-06T19:00Z', '2027-03-06T20:00Z']]],
    ['23:00', 23, '2027-03-06', 'Europe/Paris', [['2027-03-06T22:00Z', '2027-03-06T23:00Z']]],
    [
      'a skipped hour',
      2,
      '2027-03-14',
      'America/New_York',
      [['2027-03-14T07:00Z', '2027-03-14T08:00Z']],
    ],
    [
      'a repeated hour',
      1,
      '2027-11-07',
      'America/New_York',
      [['2027-11-07T05:00Z', '2027-11-07T06:00Z']],
    ],
    [
      'an hour that half is skipped',
      2,
      '2027-10-03',
      'Australia/Lord_Howe',
      [['2027-10-02T15:30Z', '2027-10-02T16:00Z']],
    ],
    [
      'an hour whose substitute is a quarter',
      3,
      '2027-09-26',
      'Pacific/Chatham',
      [['2027-09-25T14:00Z', '2027-09-25T14:15Z']],
    ],
    [
      'an hour that the clocks cut short',
      2,
      '2027-09-26',
      'Pacific/Chatham',
      [['2027-09-25T13:15Z', '2027-09-25T14:00Z']],
    ],
    [
      'a skipped last hour, without catching up on the next date',
      23,
      '2027-03-27',
      'America/Nuuk',
      [['2027-03-28T01:00Z', '2027-03-28T02:00Z']],
    ],
  ] as const)('of %s', (_what, hour, date, zone, expected) => {
    expect(sendWindows(date, hour, zone, sendInstant(date, hour, zone))).toEqual(
      expected.map(([opens, closes]) => span(opens, closes)),
    );
  });

  test('open at the due instant, not before', () => {
    const due = new Date('2027-03-06T14:12:30Z');
    expect(sendWindows('2027-03-06', 9, 'America/New_York', due)).toEqual([
      span('2027-03-06T14:12:30Z', '2027-03-06T17:00Z'),
    ]);
  });

  test('shrink to the catch-up for a text due after its hour', () => {
    const due = new Date('2027-03-06T13:00:00Z');
    expect(sendWindows('2027-03-06', 6, 'America/New_York', due)).toEqual([
      span('2027-03-06T13:00Z', '2027-03-06T14:00Z'),
    ]);
    expect(sendWindows('2027-03-06', 9, 'UTC', new Date('2027-03-06T12:00Z'))).toEqual([]);
  });

  const holds = (zone: string, date: string, hour: number) => {
    const slot = sendInstant(date, hour, zone).getTime();
    const windows = sendWindows(date, hour, zone, new Date(slot));
    const clock = readWallClock(zone, slot - 30 * hourMs, slot + 30 * hourMs);
    const slotShows = Math.floor(clock.at(slot) / hourMs);
    let inHour = true;
    for (let instant = slot - hourMs; instant < slot + 5 * hourMs; instant += minuteMs) {
      const shown = clock.at(instant);
      const hourShown = Math.floor(shown / hourMs);
      inHour &&= instant < slot || (hourShown === slotShows && instant < slot + hourMs);
      const byDay = hourShown % 24 >= 8 && hourShown % 24 < 21;
      const sameDate = new Date(shown).toISOString().slice(0, 10) === date;
      const expected =
        instant >= slot && (inHour || (byDay && sameDate && instant < slot + 3 * hourMs));
      expect(contains(windows, instant), `${zone} ${date} ${hour} at ${instant}`).toBe(expected);
    }
  };

  test('cover exactly the chosen hour and the catch-up outside of quiet hours, in every zone', () => {
    fc.assert(
      fc.property(zoneAndDate, fc.integer({ min: 0, max: 23 }), ([zone, date], hour) =>
        holds(zone, date, hour),
      ),
      { numRuns: 500 },
    );
  });

  test('are correct on days of clock changes', () => {
    fc.assert(
      fc.property(zoneAndChange, fc.integer({ min: 0, max: 23 }), ([zone, date], hour) =>
        holds(zone, date, hour),
      ),
      { numRuns: 500 },
    );
  });

  test('are never empty, and the due instant of a spread text is in the first', () => {
    fc.assert(
      fc.property(zoneAndChange, fc.integer({ min: 0, max: 23 }), ([zone, date], hour) => {
        const slot = sendInstant(date, hour, zone);
        const due = new Date(chosenHourEnds(slot, zone).getTime() - 1);
        const windows = sendWindows(date, hour, zone, due);
        expect(windows.length).toBeGreaterThan(0);
        expect(contains(windows.slice(0, 1), due.getTime())).toBe(true);
      }),
    );
  });
});

describe('local time', () => {
  test('the local date matches the wall clock', () => {
    expect(localDateAt(new Date('2027-03-06T10:59:59Z'), 'Pacific/Auckland')).toBe('2027-03-06');
    expect(localDateAt(new Date('2027-03-06T11:00:00Z'), 'Pacific/Auckland')).toBe('2027-03-07');
    expect(localDateAt(new Date('2027-03-06T04:59:59Z'), 'America/New_York')).toBe('2027-03-05');
  });

  test("a date skipped by a zone doesn't exist there", () => {
    expect(dateExists('2011-12-30', 'Pacific/Apia')).toBe(false);
    expect(dateExists('2011-12-31', 'Pacific/Apia')).toBe(true);
    expect(dateExists('2027-03-27', 'America/Nuuk')).toBe(true);
  });

  test('quiet hours are before 08:00 and from 21:00 on', () => {
    const quiet = (at: string) => isQuietHours(new Date(at), 'UTC');
    expect(quiet('2027-03-06T07:59:59Z')).toBe(true);
    expect(quiet('2027-03-06T08:00:00Z')).toBe(false);
    expect(quiet('2027-03-06T20:59:59Z')).toBe(false);
    expect(quiet('2027-03-06T21:00:00Z')).toBe(true);
  });

  test('the next morning is 08:00 of this date, or of the next one from then on', () => {
    const morning = (at: string) => nextMorning(new Date(at), 'America/New_York').toISOString();
    expect(morning('2027-03-06T06:00:00Z')).toBe('2027-03-06T13:00:00.000Z');
    expect(morning('2027-03-06T13:00:00Z')).toBe('2027-03-07T13:00:00.000Z');
    expect(morning('2027-03-14T04:30:00Z')).toBe('2027-03-14T12:00:00.000Z');
  });
});

describe('the window of an announcement', () => {
  test.each([
    ['08:30', span('2027-03-06T13:30Z', '2027-03-06T16:30Z')],
    ['06:00', span('2027-03-06T13:00Z', '2027-03-06T16:00Z')],
    ['19:15', span('2027-03-07T00:15Z', '2027-03-07T02:00Z')],
    ['20:59', span('2027-03-07T01:59Z', '2027-03-07T02:00Z')],
    ['21:00', null],
    ['23:30', null],
  ])('at %s is outside of quiet hours', (time, expected) => {
    expect(announcementWindow('2027-03-06', time, 'America/New_York')).toEqual(expected);
  });
});

describe('the window of a manual send', () => {
  test.each([
    ['by day', '2027-03-06T15:00Z', '2027-03-06T18:00Z'],
    ['in the evening it closes with the day', '2027-03-07T01:30Z', '2027-03-07T02:00Z'],
    ['at night it is an hour', '2027-03-06T08:00Z', '2027-03-06T09:00Z'],
    ['before midnight it does not reach the next date', '2027-03-07T04:40Z', '2027-03-07T05:00Z'],
  ])('%s', (_when, now, closes) => {
    expect(manualSendWindow(new Date(now), 'America/New_York')).toEqual(span(now, closes));
  });
});

describe('the windows of a response to what someone did', () => {
  test.each([
    [
      'by day: until quiet hours, and the next day',
      '2027-03-06T15:00Z',
      24,
      [
        span('2027-03-06T15:00Z', '2027-03-07T02:00Z'),
        span('2027-03-07T13:00Z', '2027-03-07T15:00Z'),
      ],
    ],
    [
      'in quiet hours: an hour, and the next day',
      '2027-03-07T04:30Z',
      12,
      [
        span('2027-03-07T04:30Z', '2027-03-07T05:30Z'),
        span('2027-03-07T13:00Z', '2027-03-07T16:30Z'),
      ],
    ],
    [
      'that is useful for an hour: that hour',
      '2027-03-07T04:30Z',
      1,
      [span('2027-03-07T04:30Z', '2027-03-07T05:30Z')],
    ],
  ])('%s', (_when, opens, hours, expected) => {
    expect(responseWindows(new Date(opens), hours, 'America/New_York')).toEqual(expected);
  });
});
