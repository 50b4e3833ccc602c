import { describe, expect, test } from 'vitest';
import { advanceCounter } from './community-counter.ts';

const lowest = () => 0;
const highest = () => 0.999_999;

describe('the community counter', () => {
  test('starts at 1288', () => {
    expect(advanceCounter(null, '2027-03-06', lowest)).toEqual({
      version: 1,
      count: 1288,
      day: '2027-03-06',
    });
  });

  test('restarts with a new version', () => {
    const old = { version: 0, count: 5000, day: '2027-03-05' };
    expect(advanceCounter(old, '2027-03-06', lowest).count).toBe(1288);
  });

  test('stays the same all day, and when the clock goes back', () => {
    const today = { version: 1, count: 1300, day: '2027-03-06' };
    expect(advanceCounter(today, '2027-03-06', highest)).toEqual(today);
    expect(advanceCounter(today, '2027-03-05', highest)).toEqual(today);
  });

  test('grows by 3 to 8 on each new day', () => {
    const yesterday = { version: 1, count: 1288, day: '2027-02-28' };
    expect(advanceCounter(yesterday, '2027-03-01', lowest).count).toBe(1291);
    expect(advanceCounter(yesterday, '2027-03-01', highest).count).toBe(1296);
    expect(advanceCounter(yesterday, '2027-03-03', lowest).count).toBe(1297);
  });
});
