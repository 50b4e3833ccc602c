import type { Frequency } from '@daylift/contracts/fields';
import type { Streak, UserAnalytics } from '@daylift/contracts/sms.http';

export interface DayCount {
  local_date: string;
  count: number;
}

const shownDays = 30;

/** The subscriber's local date and frequency. */
export interface Rhythm {
  today: string;
  frequency: Frequency;
}

/** Computes a subscriber's statistics from the dates of received texts. Weeks start on Monday. */
export function analyse(days: DayCount[], rhythm: Rhythm): UserAnalytics {
  const counts = new Map(days.map(({ local_date, count }) => [local_date, count]));
  const now = Temporal.PlainDate.from(rhythm.today);
  const monday = now.subtract({ days: now.dayOfWeek - 1 }).toString();
  const firstOfMonth = now.with({ day: 1 }).toString();
  const since = (first: string) =>
    days.filter(({ local_date }) => local_date >= first).reduce((sum, { count }) => sum + count, 0);
  return {
    total_messages: since(''),
    week_messages: since(monday),
    month_messages: since(firstOfMonth),
    daily_data: Array.from({ length: shownDays }, (_unused, index) => {
      const date = now.subtract({ days: shownDays - 1 - index }).toString();
      return { date, count: counts.get(date) ?? 0 };
    }),
    ...lengthOf(streakOf(counts.keys(), rhythm)),
  };
}

const weekDays = 7;
const daysFrom = (date: string, later: string): number =>
  Temporal.PlainDate.from(date).until(later).days;

/** The dates of a streak, newest first, and the days between each and the next newer one, or today. */
interface StreakDates {
  dates: string[];
  gaps: number[];
  frequency: Frequency;
}

/**
 * Returns the current streak: one text per day, or per week for weekly texts. A text still expected today doesn't break
 * it. Neither does a switch between daily and weekly: two adjacent gaps of a week show that texts were weekly then.
 */
export function streakOf(received: Iterable<string>, { today, frequency }: Rhythm): StreakDates {
  // One may have tomorrow's date, after a move west.
  const dates = [...received].toSorted().toReversed();
  const gaps = dates.map((date, at) => daysFrom(date, dates[at - 1] ?? today));
  const isWeek = (at: number) => at > 0 && gaps[at] === weekDays;
  const wasWeekly = (at: number) => isWeek(at) && (isWeek(at - 1) || isWeek(at + 1));
  const breaksAt = gaps.findIndex((gap, at) => {
    if (gap <= 1) return false;
    const weekly = frequency === 'weekly' || [at - 1, at, at + 1].some(wasWeekly);
    return !weekly || gap > weekDays;
  });
  const length = breaksAt === -1 ? dates.length : breaksAt;
  return { dates: dates.slice(0, length), gaps: gaps.slice(0, length), frequency };
}

/** Returns the length of a streak. With weekly texts it is in texts, because the days aren't consecutive. */
export function lengthOf({ dates, gaps, frequency }: StreakDates): Streak {
  const isDaily = frequency === 'daily' && gaps.slice(1).every((gap) => gap === 1);
  return { streak_days: dates.length, streak_unit: isDaily ? 'days' : 'texts' };
}

/** Returns whether the streak starts so long after `from`, the earliest date read, that earlier texts can't extend it. */
export function isComplete({ dates }: StreakDates, from: string): boolean {
  const earliest = dates.at(-1);
  return earliest === undefined || daysFrom(from, earliest) > 3 * weekDays;
}
