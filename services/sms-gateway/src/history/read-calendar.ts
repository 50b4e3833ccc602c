import type { Calendar, TextStatus } from '@daylift/contracts/sms.http';
import { spansBackward } from '@daylift/database/date-spans';
import { localDateAt } from '@daylift/delivery/send-windows';
import type { Kysely } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { statusOf } from '../texts/text-states.ts';
import { countByDay, findFirstDate, findStatesByDay, findTimezone } from './history.repository.ts';
import { streakUntil } from './streak.ts';

/**
 * Returns one month of a subscriber's texts and their streak. Dates are the texts' local dates; today is in the
 * current time zone.
 */
export async function readCalendar(
  db: Kysely<SmsDatabase>,
  userId: string,
  asked: string | undefined,
  now: Date,
): Promise<Calendar> {
  const today = localDateAt(now, (await findTimezone(db, userId)) ?? 'UTC');
  const month = Temporal.PlainYearMonth.from(asked ?? today.slice(0, 7));
  const [states, firstDate, streak] = await Promise.all([
    findStatesByDay(db, userId, {
      from: month.toPlainDate({ day: 1 }).toString(),
      until: month.toPlainDate({ day: month.daysInMonth }).toString(),
    }),
    findFirstDate(db, userId),
    readStreak(db, userId, today),
  ]);
  const byDate = Map.groupBy(states, ({ local_date }) => local_date);
  return {
    month: month.toString(),
    today,
    days: [...byDate].map(([date, texts]) => ({
      date,
      status: best(texts.map(({ state }) => statusOf(state))),
      in_streak: streak.includes(date),
    })),
    streak_days: streak.length,
    first_month: firstDate?.slice(0, 7) ?? null,
  };
}

/** Reads back only as far as the streak goes. */
async function readStreak(
  db: Kysely<SmsDatabase>,
  userId: string,
  today: string,
): Promise<string[]> {
  const dates = new Set<string>();
  let streak: string[] = [];
  for await (const span of spansBackward(today, () => findFirstDate(db, userId))) {
    for (const { local_date } of await countByDay(db, userId, span)) dates.add(local_date);
    streak = streakUntil(today, dates);
    const earliest = streak.at(-1);
    if (earliest === undefined || earliest > span.from) break;
  }
  return streak;
}

const rank: TextStatus[] = ['delivered', 'sent', 'queued', 'unknown', 'failed'];
const best = (statuses: TextStatus[]): TextStatus =>
  rank.find((status) => statuses.includes(status)) ?? 'unknown';
