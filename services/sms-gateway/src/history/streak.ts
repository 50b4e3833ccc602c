import type { UserAnalytics } from '@daylift/contracts/sms.http';

export interface DayCount {
  local_date: string;
  count: number;
}

const shownDays = 30;

/**
 * A subscriber's figures from the dates on which texts came. `today` is theirs. The streak is the days in a row up to
 * today; a text of today that is still to come does not break it. Weeks start on Monday.
 */
export function analyse(days: DayCount[], today: string): UserAnalytics {
  const counts = new Map(days.map(({ local_date, count }) => [local_date, count]));
  const now = Temporal.PlainDate.from(today);
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
    streak_days: streakUntil(today, counts).length,
  };
}

/** The dates of the present streak, newest first. `came`: all dates on which a text came. */
export function streakUntil(today: string, came: { has(date: string): boolean }): string[] {
  let day = Temporal.PlainDate.from(today);
  if (!came.has(today)) day = day.subtract({ days: 1 });
  const streak: string[] = [];
  while (came.has(day.toString())) {
    streak.push(day.toString());
    day = day.subtract({ days: 1 });
  }
  return streak;
}
