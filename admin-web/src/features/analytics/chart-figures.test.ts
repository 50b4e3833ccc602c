import type { DailyStats } from '@daylift/contracts/sms-operations.http';
import { formatTimeInZone } from '@daylift/ui/formats';
import { expect, test } from 'vitest';
import {
  deliveryRate,
  describeLoad,
  describeRate,
  describeSubscriptions,
  describeTexts,
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
  const steps = { trials_started: 1, converted: 0, churned: 2, paid_churned: 1 };
  expect(describeSubscriptions([{ date: '2027-04-06', ...steps }])).toBe(
    '1 trial started in 1 days, 0 first payments, 2 canceled.',
  );
  const hours = [
    { starts_at: '2027-04-06T09:30:00Z', people: 1 },
    { starts_at: '2027-04-06T10:30:00Z', people: 3 },
  ];
  expect(describeLoad(hours, (instant) => formatTimeInZone(instant, 'America/New_York'))).toMatch(
    /^4 subscribers in the next 24 hours\. Busiest: \d+:\d\d [AP]M EDT with 3\.$/,
  );
  expect(describeLoad([], String)).toBe('No texts in the next 24 hours.');
});
