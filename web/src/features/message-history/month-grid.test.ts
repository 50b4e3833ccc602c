import { describe, expect, test } from 'vitest';
import { monthFrom, weeksOf } from './month-grid.ts';

describe('the weeks of a month', () => {
  test('start on Monday or Sunday and contain every day once', () => {
    const weeks = weeksOf('2027-04', 1);
    expect(weeks).toHaveLength(5);
    expect(weeks[0]).toEqual([
      null,
      null,
      null,
      '2027-04-01',
      '2027-04-02',
      '2027-04-03',
      '2027-04-04',
    ]);
    expect(weeks.flat().filter((day) => day !== null)).toHaveLength(30);
    expect(weeks.at(-1)?.at(-1)).toBeNull();
    expect(weeksOf('2027-04', 7)[0]?.indexOf('2027-04-01')).toBe(4);
    expect(weeksOf('2027-08', 7)[0]?.[0]).toBe('2027-08-01');
  });

  test('handle a February of four weeks, and a leap day', () => {
    expect(weeksOf('2027-02', 1)).toHaveLength(4);
    expect(weeksOf('2028-02', 1).flat()).toContain('2028-02-29');
  });
});

test('continue across years', () => {
  expect(monthFrom('2027-12', 1)).toBe('2028-01');
  expect(monthFrom('2027-01', -1)).toBe('2026-12');
});
