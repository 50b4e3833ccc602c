import { hourMs, minuteMs } from '@daylift/clock/durations';
import type { CategoryRunway } from '@daylift/contracts/library-runway.http';
import { schedulerEvents } from '@daylift/contracts/scheduler.events';
import { localDateAt } from '@daylift/delivery/send-windows';
import { publish } from '@daylift/events/publish';
import type { Loop } from '@daylift/server/loops';
import type { SchedulerDeps } from '../deps.ts';
import { daysLeft } from './days-left.ts';
import {
  findLibrary,
  findReaders,
  findRunway,
  findScheduledDays,
  saveRunway,
  warnOnce,
} from './library-runway.repository.ts';

type Deps = Pick<SchedulerDeps, 'db' | 'clock' | 'operatorTimezone'>;

const thresholds = [14, 7, 2] as const;

/** Days change slowly, and computing them costs about as much as a release. */
const freshMs = 6 * hourMs;

/** Computes how many days the library lasts, several times a day and after each library change. */
export const libraryRunwayLoop = (deps: Deps): Loop => ({
  name: 'library-runway',
  everyMs: minuteMs,
  run: () => updateRunway(deps),
});

/** Returns how many warnings were published. */
async function updateRunway({ db, clock, operatorTimezone }: Deps): Promise<number> {
  const now = clock.now();
  const [last, library] = await Promise.all([findRunway(db), findLibrary(db)]);
  const isFresh = last !== undefined && now.getTime() - last.computed_at.getTime() < freshMs;
  if (isFresh && last.library_key === library.key) return 0;
  const today = localDateAt(now, operatorTimezone);
  const [readers, scheduled] = await Promise.all([findReaders(db), findScheduledDays(db, today)]);
  const categories = library.categories.map(({ category, active }): CategoryRunway => {
    const days = readers
      .filter((reader) => reader.category === category)
      .map((reader) => daysLeft(reader.texts, reader, scheduled, today));
    return { category, active, days: days.length === 0 ? null : Math.min(...days) };
  });
  return db.transaction().execute(async (trx) => {
    let warned = 0;
    await saveRunway(trx, { computed_at: now, library_key: library.key, categories });
    for (const { category, days } of categories) {
      if (days === null) continue;
      const threshold_days = await warnOnce(trx, category, { days, thresholds, now });
      if (threshold_days === null) continue;
      const data = { category, days, threshold_days, date: today };
      await publish(trx, schedulerEvents, 'scheduler.library.runs_out', data, now);
      warned += 1;
    }
    return warned;
  });
}
