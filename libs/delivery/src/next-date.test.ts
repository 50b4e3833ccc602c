import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { zones } from '../test/every-instant.ts';
import { type Cadence, dayAfter, nextLocalDate } from './next-date.ts';

const daily: Cadence = {
  frequency: 'daily',
  weekday: null,
  first_local_date: '2027-03-06',
  timezone: 'America/New_York',
};
const weekly: Cadence = { ...daily, frequency: 'weekly' };

describe('the next date', () => {
  test('daily: from the first date on, every day', () => {
    expect(nextLocalDate(daily, '2027-03-01')).toBe('2027-03-06');
    expect(nextLocalDate(daily, '2027-03-06')).toBe('2027-03-06');
    expect(nextLocalDate(daily, '2027-03-07')).toBe('2027-03-07');
  });

  test('weekly: the day after signup, then every seven days on that weekday', () => {
    expect(nextLocalDate(weekly, '2027-03-01')).toBe('2027-03-06');
    expect(nextLocalDate(weekly, '2027-03-07')).toBe('2027-03-13');
    expect(nextLocalDate(weekly, '2027-03-13')).toBe('2027-03-13');
    expect(nextLocalDate(weekly, '2027-03-14')).toBe('2027-03-20');
  });

  test('weekly with a chosen weekday: the day after signup, then on that weekday', () => {
    const wednesdays = { ...weekly, weekday: 3 };
    expect(nextLocalDate(wednesdays, '2027-03-01')).toBe('2027-03-06');
    expect(nextLocalDate(wednesdays, '2027-03-07')).toBe('2027-03-10');
    expect(nextLocalDate(wednesdays, '2027-03-11')).toBe('2027-03-17');
  });

  test('a date skipped by the zone has none', () => {
    const apia = { ...daily, first_local_date: '2011-12-20', timezone: 'Pacific/Apia' };
    expect(nextLocalDate(apia, '2011-12-30')).toBe('2011-12-31');
    expect(nextLocalDate({ ...apia, frequency: 'weekly', weekday: 5 }, '2011-12-24')).toBe(
      '2012-01-06',
    );
    expect(nextLocalDate({ ...apia, first_local_date: '2011-12-30' }, '2011-12-01')).toBe(
      '2011-12-31',
    );
  });

  test('weekly dates are seven days apart in any zone, daily dates one', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: 0, max: 700 }),
        fc.option(fc.integer({ min: 1, max: 7 })),
        (timezone, offset, weekday) => {
          const start = Temporal.PlainDate.from('2026-01-01').add({ days: offset }).toString();
          const cadence = { ...weekly, timezone, weekday, first_local_date: start };
          const first = nextLocalDate(cadence, start);
          const second = nextLocalDate(cadence, dayAfter(first));
          const third = nextLocalDate(cadence, dayAfter(second));
          const apart = (a: string, b: string) =>
            Temporal.PlainDate.from(a).until(Temporal.PlainDate.from(b)).days;
          expect(first).toBe(start);
          expect(apart(second, third)).toBe(7);
          if (weekday === null) expect(apart(first, second)).toBe(7);
          else expect(Temporal.PlainDate.from(second).dayOfWeek).toBe(weekday);
          expect(nextLocalDate({ ...cadence, frequency: 'daily' }, dayAfter(start))).toBe(
            dayAfter(start),
          );
        },
      ),
    );
  });
});
