import { expect, test } from 'vitest';
import {
  cardDays,
  describeChurn,
  describeConversion,
  paidChurn,
  todaysProgress,
  trialsToPaid,
} from './business.ts';

const days = Array.from({ length: cardDays }, (_, index) => ({
  date: `day ${index}`,
  trials_started: index,
  converted: 1,
  churned: 3,
  paid_churned: 2,
}));

test('first payments are compared with the trials that ended in the same days', () => {
  // Days 27 to 56: their trials ended in the last 30 days.
  expect(trialsToPaid(days, 3)).toEqual({ paid: 30, trials: ((27 + 56) / 2) * 30 });
  expect(trialsToPaid([], 3)).toEqual({ paid: 0, trials: 0 });
});

test('churn counts only subscribers who had paid', () => {
  expect(paidChurn(days, 140)).toEqual({ left: 60, of: 200 });
});

test('cards count one trial and one subscriber in the singular', () => {
  const trials = [1, 2].map((trials) => describeConversion({ paid: 1, trials }));
  expect(trials).toEqual([
    '1 paid of 1 trial that ended in 30 days',
    '1 paid of 2 trials that ended in 30 days',
  ]);
  expect([1, 2].map((of) => describeChurn({ left: 0, of }))).toEqual([
    '0 of 1 paying subscriber lost in 30 days',
    '0 of 2 paying subscribers lost in 30 days',
  ]);
});

test("the day's progress shows what is sent, held and still to come", () => {
  const day = { sent: 8, delivered: 30, failed: 0, unknown: 0 };
  expect(todaysProgress(day, { open: 60, held: 12, missed: 0 }).words).toBe(
    '38 of 98 sent, 12 held, 48 to come',
  );
  expect(
    todaysProgress({ ...day, failed: 1, unknown: 1 }, { open: 0, held: 0, missed: 0 }).words,
  ).toBe('38 of 40 sent, 2 failed, 0 to come');
  expect(todaysProgress(day, { open: 0, held: 0, missed: 10 })).toMatchObject({
    words: '38 of 48 sent, 10 missed, 0 to come',
    failed: 10,
  });
  expect(todaysProgress(day, { open: 0, held: 0, missed: 0, skipped: 2 }).words).toBe(
    '38 of 40 sent, 2 skipped, 0 to come',
  );
  expect(todaysProgress(undefined, { open: 3, held: 0 }).words).toBe('0 of 3 sent, 3 to come');
});
