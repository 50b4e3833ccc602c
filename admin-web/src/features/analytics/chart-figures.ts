import type { SubscriptionDay } from '@daylift/contracts/figures.http';
import type { Forecast } from '@daylift/contracts/forecast.http';
import type { DailyStats } from '@daylift/contracts/sms-operations.http';
import { formatCount, formatLocalDate } from '@daylift/ui/formats';
import { counted } from '../../components/counted.ts';
import { percentOf, sumOf } from './business.ts';

export interface Periods<T> {
  now: T[];
  before: T[];
}

/** Splits days into the shown period and the equally long one before it. */
export const splitPeriods = <T>(days: T[]): Periods<T> => ({
  before: days.slice(0, days.length / 2),
  now: days.slice(days.length / 2),
});

/** `30 days`, `13 weeks` */
export const spanInWords = (days: number): string =>
  days > 7 && days % 7 === 0 ? counted(days / 7, 'week', 'weeks') : counted(days, 'day', 'days');

/** Sums days by week, dated by the week's first day. */
export const byWeek = (days: SubscriptionDay[]): SubscriptionDay[] =>
  Array.from({ length: Math.ceil(days.length / 7) }, (_, week) => {
    const weekDays = days.slice(week * 7, week * 7 + 7);
    return {
      date: weekDays[0]?.date ?? '',
      trials_started: sumOf(weekDays, (day) => day.trials_started),
      converted: sumOf(weekDays, (day) => day.converted),
      churned: sumOf(weekDays, (day) => day.churned),
      paid_churned: sumOf(weekDays, (day) => day.paid_churned),
    };
  });

const change = (now: number, before: number): string => {
  if (now === before) return 'the same as';
  if (before === 0) return 'up from';
  const part = Math.round((Math.abs(now - before) / before) * 100);
  return `${part < 1 ? 'less than 1' : formatCount(part)}% ${now > before ? 'more' : 'fewer'} than`;
};

/** Returns for each total how it differs from the period before. */
const compareTotals = <T>(
  { now, before }: Periods<T>,
  totals: [name: string, of: (row: T) => number][],
): string[] =>
  totals.map(([name, of]) => {
    const [total, earlier] = [sumOf(now, of), sumOf(before, of)];
    return `${name}: ${formatCount(total)}, ${change(total, earlier)} ${formatCount(earlier)} in the ${spanInWords(before.length)} before.`;
  });
const tried = ({ delivered, sent, failed, unknown }: DailyStats): number =>
  delivered + sent + failed + unknown;
const arrived = ({ delivered, sent }: DailyStats): number => delivered + sent;

/** Returns the percentage of a day's texts that were sent or delivered, or null without texts. */
export const deliveryRate = (day: DailyStats): number | null =>
  tried(day) === 0 ? null : percentOf(arrived(day), tried(day));

export const describeTexts = (days: DailyStats[]): string => {
  const failed = sumOf(days, (day) => day.failed + day.unknown);
  return `${counted(sumOf(days, tried), 'text', 'texts')} in ${spanInWords(days.length)}; ${formatCount(failed)} failed or unknown.`;
};

export const compareTexts = (periods: Periods<DailyStats>): string[] =>
  compareTotals(periods, [
    ['Texts', tried],
    ['Failed or unknown', (day) => day.failed + day.unknown],
  ]);

const overallRate = (days: DailyStats[]): number =>
  percentOf(sumOf(days, arrived), sumOf(days, tried));

export const describeRate = (days: DailyStats[]): string => {
  const busy = days.filter((day) => tried(day) > 0);
  if (busy.length === 0) return 'No texts yet.';
  const lowest = busy.reduce((low, day) =>
    (deliveryRate(day) ?? 0) < (deliveryRate(low) ?? 0) ? day : low,
  );
  const overall = overallRate(busy);
  const worst = deliveryRate(lowest);
  return worst === overall
    ? `${overall}% overall.`
    : `${overall}% overall. Lowest: ${worst}% on ${formatLocalDate(lowest.date)}.`;
};

export const compareRates = ({ now, before }: Periods<DailyStats>): string[] => {
  const span = `the ${spanInWords(before.length)} before`;
  if (sumOf(before, tried) === 0) return [`No texts in ${span}.`];
  const earlier = overallRate(before);
  if (sumOf(now, tried) === 0) return [`${earlier}% in ${span}.`];
  const points = Math.round((overallRate(now) - earlier) * 10) / 10;
  if (points === 0) return [`The same as in ${span}.`];
  const more = points > 0 ? 'higher' : 'lower';
  return [`${counted(Math.abs(points), 'point', 'points')} ${more} than ${earlier}% in ${span}.`];
};

export const describeSubscriptions = (days: SubscriptionDay[]): string =>
  [
    counted(
      sumOf(days, (day) => day.trials_started),
      'trial',
      'trials',
    ),
    ` started in ${spanInWords(days.length)}, `,
    counted(
      sumOf(days, (day) => day.converted),
      'first payment',
      'first payments',
    ),
    ', ',
    formatCount(sumOf(days, (day) => day.churned)),
    ' canceled.',
  ].join('');

export const compareSubscriptions = (periods: Periods<SubscriptionDay>): string[] =>
  compareTotals(periods, [
    ['Trials started', (day) => day.trials_started],
    ['First payments', (day) => day.converted],
    ['Canceled', (day) => day.churned],
  ]);

export const describeLoad = (
  { as_of, hours }: Pick<Forecast, 'as_of' | 'hours'>,
  time: (instant: string) => string,
): string => {
  if (as_of === null) return 'Computing…';
  const texts = sumOf(hours, (hour) => hour.people);
  if (texts === 0) return 'No texts in the next 24 hours.';
  const busiest = hours.reduce((most, hour) => (hour.people > most.people ? hour : most));
  return `${counted(texts, 'text', 'texts')} in the next 24 hours. Busiest: ${time(busiest.starts_at)} with ${formatCount(busiest.people)}.`;
};
