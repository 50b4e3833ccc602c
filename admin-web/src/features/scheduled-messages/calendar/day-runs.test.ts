import type { ContentDay } from '@daylift/contracts/scheduled-messages.http';
import { expect, test } from 'vitest';
import { groupDays } from './day-runs.ts';

const aDay = (date: string, states: Partial<ContentDay> = {}): ContentDay => ({
  date,
  daily: null,
  announcements: [],
  sent_early: [],
  ...states,
});
const message = {} as NonNullable<ContentDay['daily']>;
const dates = (days: ContentDay[]) => groupDays(days).map((group) => group.map(({ date }) => date));

test('joins three or more consecutive days from the library', () => {
  const days = [
    aDay('2027-01-01'),
    aDay('2027-01-02'),
    aDay('2027-01-03', { daily: message }),
    aDay('2027-01-04'),
    aDay('2027-01-05'),
    aDay('2027-01-06'),
    aDay('2027-01-07', { announcements: [message] }),
    aDay('2027-01-08', { sent_early: [message] }),
  ];
  expect(dates(days)).toEqual([
    ['2027-01-01'],
    ['2027-01-02'],
    ['2027-01-03'],
    ['2027-01-04', '2027-01-05', '2027-01-06'],
    ['2027-01-07'],
    ['2027-01-08'],
  ]);
});

test('of no days are none', () => expect(groupDays([])).toEqual([]));
