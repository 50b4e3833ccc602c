import { expect, test } from 'vitest';
import { barHeight, countTicks, rateTicks } from './chart-scales.ts';

test.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [5, [0, 2, 4, 6]],
  [40, [0, 10, 20, 30, 40]],
  [1_001, [0, 500, 1_000, 1_500]],
  [84_000, [0, 50_000, 100_000]],
])('an axis up to %s has even whole ticks', (largest, ticks) => {
  expect(countTicks(largest)).toEqual(ticks);
});

test.each([
  [[], [90, 92, 94, 96, 98, 100]],
  [
    [99.2, null, 97],
    [90, 92, 94, 96, 98, 100],
  ],
  [
    [85, 99],
    [80, 85, 90, 95, 100],
  ],
  [[60], [50, 60, 70, 80, 90, 100]],
  [
    [0, 100],
    [0, 20, 40, 60, 80, 100],
  ],
])('the axis of rates %j shows their differences', (rates, ticks) => {
  expect(rateTicks(rates)).toEqual(ticks);
});

test('a count of 1 is visible beside thousands, and 0 is not', () => {
  expect(barHeight(1, 10_000)).toBe(200);
  expect(barHeight(0, 10_000)).toBe(0);
  expect(barHeight(5_000, 10_000)).toBe(5_000);
});
