import type { SubscriptionDay } from '@daylift/contracts/figures.http';
import type { SchedulerLoad } from '@daylift/contracts/load.http';
import type { DailyStats } from '@daylift/contracts/sms-operations.http';
import { formatCount, formatLocalDate } from '@daylift/ui/formats';
import { counted } from '../../components/counted.ts';

type Hour = SchedulerLoad['hours'][number];

const sum = <T>(rows: T[], of: (row: T) => number): number =>
  rows.reduce((total, row) => total + of(row), 0);
const tried = ({ delivered, sent, failed, unknown }: DailyStats): number =>
  delivered + sent + failed + unknown;
const arrived = ({ delivered, sent }: DailyStats): number => delivered + sent;
const percent = (part: number, whole: number): number => Math.round((part / whole) * 1_000) / 10;

/** Returns the percentage of a day's texts that were sent or delivered, or null without texts. */
export const deliveryRate = (day: DailyStats): number | null =>
  tried(day) === 0 ? null : percent(arrived(day), tried(day));

export const describeTexts = (days: DailyStats[]): string => {
  const failed = sum(days, (day) => day.failed + day.unknown);
  return `${counted(sum(days, tried), 'text', 'texts')} in ${days.length} days; ${formatCount(failed)} failed or unknown.`;
};

export const describeRate = (days: DailyStats[]): string => {
  const busy = days.filter((day) => tried(day) > 0);
  if (busy.length === 0) return 'No texts yet.';
  const lowest = busy.reduce((low, day) =>
    (deliveryRate(day) ?? 0) < (deliveryRate(low) ?? 0) ? day : low,
  );
  const all = percent(sum(busy, arrived), sum(busy, tried));
  return `${all}% overall. Lowest: ${deliveryRate(lowest)}% on ${formatLocalDate(lowest.date)}.`;
};

export const describeSubscriptions = (days: SubscriptionDay[]): string =>
  [
    counted(
      sum(days, (day) => day.trials_started),
      'trial',
      'trials',
    ),
    ` started in ${days.length} days, `,
    formatCount(sum(days, (day) => day.converted)),
    ' first payments, ',
    formatCount(sum(days, (day) => day.churned)),
    ' canceled.',
  ].join('');

export const describeLoad = (hours: Hour[], time: (instant: string) => string): string => {
  const people = sum(hours, (hour) => hour.people);
  if (people === 0) return 'No texts in the next 24 hours.';
  const busiest = hours.reduce((most, hour) => (hour.people > most.people ? hour : most));
  return `${counted(people, 'subscriber', 'subscribers')} in the next 24 hours. Busiest: ${time(busiest.starts_at)} with ${formatCount(busiest.people)}.`;
};
