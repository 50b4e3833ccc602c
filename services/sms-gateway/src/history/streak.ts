import type { UserAnalytics } from '@daylift/contracts/sms.http';

export interface DayCount {
  local_date: string;
  count: number;
}

const shownDays = 30;

/**
 * Computes a subscriber's statistics from the dates of received texts. `today` is the subscriber's date. A text still
 * expected today doesn't break the streak. Weeks start on Monday.
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

/** Returns the dates of the current streak, newest first. `came` holds the dates with a text. */
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
