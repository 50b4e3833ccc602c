import type { SubscriptionDay } from '@daylift/contracts/figures.http';
import type { SchedulerToday } from '@daylift/contracts/load.http';
import type { DailyStats } from '@daylift/contracts/sms-operations.http';
import { formatCount } from '@daylift/ui/formats';
import { counted } from '../../components/counted.ts';

/** What the cards sum up, and the days loaded for them: the trials behind the latest payments started earlier. */
export const cardSpan = 30;
export const cardDays = 60;

export const sumOf = <T>(rows: T[], of: (row: T) => number): number =>
  rows.reduce((total, row) => total + of(row), 0);

export const percentOf = (part: number, whole: number): number =>
  Math.round((part / whole) * 1_000) / 10;

/** Returns the first payments of the last days, and the trials that ended in them. */
export function trialsToPaid(days: SubscriptionDay[], trialDays: number) {
  const ended = days.slice(-cardSpan - trialDays, days.length - trialDays);
  return {
    paid: sumOf(days.slice(-cardSpan), (day) => day.converted),
    trials: sumOf(ended, (day) => day.trials_started),
  };
}

/** Returns how many paying subscribers left in the last days, of how many. */
export function paidChurn(days: SubscriptionDay[], payingNow: number) {
  const left = sumOf(days.slice(-cardSpan), (day) => day.paid_churned);
  return { left, of: payingNow + left };
}

/** `1 paid of 2 trials that ended in 30 days` */
export const describeConversion = ({ paid, trials }: ReturnType<typeof trialsToPaid>): string =>
  `${formatCount(paid)} paid of ${counted(trials, 'trial', 'trials')} that ended in ${cardSpan} days`;

/** `1 of 20 paying subscribers lost in 30 days` */
export const describeChurn = ({ left, of }: ReturnType<typeof paidChurn>): string =>
  `${formatCount(left)} of ${counted(of, 'paying subscriber', 'paying subscribers')} lost in ${cardSpan} days`;

/** `38 of 98 sent, 12 held, 48 to come`. Missed and skipped texts are counted, because someone was due. */
export function todaysProgress(
  day: Pick<DailyStats, 'sent' | 'delivered' | 'failed' | 'unknown'> | undefined,
  // A scheduler of an earlier version doesn't return all counts.
  {
    open,
    held,
    missed = 0,
    skipped = 0,
  }: Pick<SchedulerToday, 'open' | 'held'> & Partial<SchedulerToday>,
) {
  const sent = (day?.sent ?? 0) + (day?.delivered ?? 0);
  const failed = (day?.failed ?? 0) + (day?.unknown ?? 0);
  const upcoming = Math.max(open - held, 0);
  const total = sent + failed + missed + skipped + held + upcoming;
  const words = [
    `${formatCount(sent)} of ${formatCount(total)} sent`,
    ...(failed > 0 ? [`${formatCount(failed)} failed`] : []),
    ...(missed > 0 ? [`${formatCount(missed)} missed`] : []),
    ...(skipped > 0 ? [`${formatCount(skipped)} skipped`] : []),
    ...(held > 0 ? [`${formatCount(held)} held`] : []),
    `${formatCount(upcoming)} to come`,
  ].join(', ');
  return { sent, failed: failed + missed, total, words };
}
