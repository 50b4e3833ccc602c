import type { Calendar, TextStatus } from '@daylift/contracts/sms.http';
import { spansBackward } from '@daylift/database/date-spans';
import { dayAfter } from '@daylift/delivery/next-date';
import type { Kysely } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { statusOf } from '../texts/text-states.ts';
import { countByDay, findFirstDate, findRhythm, findStatesByDay } from './history.repository.ts';
import { isComplete, lengthOf, type Rhythm, streakOf } from './streak.ts';

/**
 * Returns one month of a subscriber's texts and their streak. Dates are the texts' local dates; today is in the
 * current time zone.
 */
export async function readCalendar(
  db: Kysely<SmsDatabase>,
  userId: string,
  requested: string | undefined,
  now: Date,
): Promise<Calendar> {
  const rhythm = await findRhythm(db, userId, now);
  const { today } = rhythm;
  const month = Temporal.PlainYearMonth.from(requested ?? today.slice(0, 7));
  const [states, firstDate, streak] = await Promise.all([
    findStatesByDay(db, userId, {
      from: month.toPlainDate({ day: 1 }).toString(),
      until: month.toPlainDate({ day: month.daysInMonth }).toString(),
    }),
    findFirstDate(db, userId),
    readStreak(db, userId, rhythm),
  ]);
  const byDate = Map.groupBy(states, ({ local_date }) => local_date);
  return {
    month: month.toString(),
    today,
    days: [...byDate].map(([date, texts]) => ({
      date,
      status: best(texts.map(({ state }) => statusOf(state))),
      in_streak: streak.dates.includes(date),
    })),
    ...lengthOf(streak),
    first_month: firstDate?.slice(0, 7) ?? null,
  };
}

/** Reads no further back than the streak. */
async function readStreak(db: Kysely<SmsDatabase>, userId: string, rhythm: Rhythm) {
  const received: string[] = [];
  let streak = streakOf(received, rhythm);
  for await (const span of spansBackward(dayAfter(rhythm.today), () => findFirstDate(db, userId))) {
    for (const { local_date } of await countByDay(db, userId, span)) received.push(local_date);
    streak = streakOf(received, rhythm);
    if (isComplete(streak, span.from)) break;
  }
  return streak;
}

const rank: TextStatus[] = ['delivered', 'sent', 'queued', 'unknown', 'failed'];
const best = (statuses: TextStatus[]): TextStatus =>
  rank.find((status) => statuses.includes(status)) ?? 'unknown';
