import type { SchedulerToday } from '@daylift/contracts/load.http';
import type { SchedulerDeps } from '../deps.ts';
import { countDueBefore } from './due-hours.repository.ts';
import { countEnded, countHeld } from './load.repository.ts';

export async function readToday({
  db,
  clock,
  operatorTimezone: timezone,
}: Pick<SchedulerDeps, 'db' | 'clock' | 'operatorTimezone'>): Promise<SchedulerToday> {
  const now = clock.now();
  const date = Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(timezone)
    .toPlainDate();
  const midnight = date.add({ days: 1 }).toZonedDateTime(timezone);
  const until = new Date(midnight.epochMilliseconds);
  const today = date.toString();
  const [open, held, ended] = await Promise.all([
    countDueBefore(db, until),
    countHeld(db, { from: now, until }),
    countEnded(db, today),
  ]);
  return { date: today, timezone, open, held, ...ended };
}
