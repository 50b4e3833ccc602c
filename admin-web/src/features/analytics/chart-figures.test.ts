import type { DailyStats } from '@daylift/contracts/sms-operations.http';
import { formatTimeInZone } from '@daylift/ui/formats';
import { expect, test } from 'vitest';
import {
  byWeek,
  compareRates,
  compareSubscriptions,
  compareTexts,
  deliveryRate,
  describeLoad,
  describeRate,
  describeSubscriptions,
  describeTexts,
  spanInWords,
  splitPeriods,
} from './chart-figures.ts';

const day = (date: string, counts: Partial<DailyStats> = {}): DailyStats => ({
  date,
  delivered: 0,
  sent: 0,
  failed: 0,
  unknown: 0,
  missed: 0,
  skipped: 0,
  cost: 0,
  ...counts,
});

test('the rate counts sent texts, and a day without texts has none', () => {
  expect(deliveryRate(day('2027-04-05', { delivered: 6, sent: 1, failed: 2, unknown: 1 }))).toBe(
    70,
  );
  expect(deliveryRate(day('2027-04-05', { missed: 3, skipped: 4 }))).toBeNull();
});

test('each chart has a summary sentence', () => {
  const days = [
    day('2027-04-04', { delivered: 2, failed: 1, unknown: 1, missed: 5 }),
    day('2027-04-05', { delivered: 1_000 }),
    day('2027-04-06'),
  ];
  expect(describeTexts(days)).toBe('1,004 texts in 3 days; 2 failed or unknown.');
  expect(describeRate(days)).toBe('99.8% overall. Lowest: 50% on Apr 4, 2027.');
  expect(describeRate([day('2027-04-06')])).toBe('No texts yet.');
  expect(describeRate([1, 2].map((n) => day(`2027-04-0${n}`, { sent: n })))).toBe('100% overall.');
  const steps = { trials_started: 1, converted: 0, churned: 2, paid_churned: 1 };
  expect(describeSubscriptions([{ date: '2027-04-06', ...steps }])).toBe(
    '1 trial started in 1 day, 0 first payments, 2 canceled.',
  );
  expect(describeSubscriptions([{ date: '2027-04-06', ...steps, converted: 1 }])).toBe(
    '1 trial started in 1 day, 1 first payment, 2 canceled.',
  );
  const hour = { estimated_cost: '0', drain_seconds: 0 };
  const hours = [
    { ...hour, starts_at: '2027-04-06T09:30:00Z', people: 1 },
    { ...hour, starts_at: '2027-04-06T10:30:00Z', people: 3 },
  ];
  const as_of = '2027-04-06T09:30:00Z';
  expect(
    describeLoad({ as_of, hours }, (instant) => formatTimeInZone(instant, 'America/New_York')),
  ).toMatch(/^4 texts in the next 24 hours\. Busiest: \d+:\d\d [AP]M EDT with 3\.$/);
  expect(describeLoad({ as_of, hours: [] }, String)).toBe('No texts in the next 24 hours.');
  expect(describeLoad({ as_of: null, hours: [] }, String)).toBe('Computing…');
});

test('the period before is compared in words', () => {
  const periods = splitPeriods([
    day('2027-04-03', { delivered: 100 }),
    day('2027-04-04', { delivered: 98, failed: 2 }),
    day('2027-04-05', { delivered: 240 }),
    day('2027-04-06', { delivered: 10, failed: 5 }),
  ]);
  expect(periods.now.map(({ date }) => date)).toEqual(['2027-04-05', '2027-04-06']);
  expect(compareTexts(periods)).toEqual([
    'Texts: 255, 28% more than 200 in the 2 days before.',
    'Failed or unknown: 5, 150% more than 2 in the 2 days before.',
  ]);
  expect(compareRates(periods)).toEqual(['1 point lower than 99% in the 2 days before.']);
  const none = [day('2027-04-01'), day('2027-04-02')];
  expect(compareRates({ now: periods.now, before: none })).toEqual([
    'No texts in the 2 days before.',
  ]);
  expect(compareTexts({ now: none, before: none })[0]).toBe(
    'Texts: 0, the same as 0 in the 2 days before.',
  );
  const steps = { converted: 3, churned: 1, paid_churned: 0 };
  expect(
    compareSubscriptions({
      now: [{ date: '2027-04-06', trials_started: 4, ...steps }],
      before: [{ date: '2027-04-05', ...steps, trials_started: 0, churned: 2 }],
    }),
  ).toEqual([
    'Trials started: 4, up from 0 in the 1 day before.',
    'First payments: 3, the same as 3 in the 1 day before.',
    'Canceled: 1, 50% fewer than 2 in the 1 day before.',
  ]);
});

test('13 weeks are summed up by week', () => {
  const days = Array.from({ length: 91 }, (_, n) => ({
    date: new Date(Date.UTC(2027, 0, 1 + n)).toISOString().slice(0, 10),
    trials_started: 1,
    converted: 0,
    churned: n,
    paid_churned: 0,
  }));
  const weeks = byWeek(days);
  expect(weeks).toHaveLength(13);
  expect(weeks[1]).toMatchObject({ date: '2027-01-08', trials_started: 7, churned: 70 });
  expect([7, 30, 91].map(spanInWords)).toEqual(['7 days', '30 days', '13 weeks']);
});
