import { schedulerEvents } from '@daylift/contracts/scheduler.events';
import { dayAfter } from '@daylift/delivery/next-date';
import { localDateAt } from '@daylift/delivery/send-windows';
import { publish } from '@daylift/events/publish';
import type { Loop } from '@daylift/server/loops';
import type { SchedulerDeps } from '../deps.ts';
import { listZones } from '../subscribers/subscribers.repository.ts';
import {
  findDatesWithoutContent,
  forgetAlerts,
  rememberAlert,
} from './content-ahead.repository.ts';

type Deps = Pick<SchedulerDeps, 'db' | 'clock'>;

/** Checks a day ahead in every zone with subscribers, and reports each date without content once. */
export const contentAheadLoop = (deps: Deps): Loop => ({
  name: 'content-ahead',
  everyMs: 60_000,
  run: () => publishMissingContent(deps),
});

async function publishMissingContent({ db, clock }: Deps): Promise<number> {
  const now = clock.now();
  const zones = await listZones(db);
  const dates = [...new Set(zones.map((zone) => dayAfter(localDateAt(now, zone))))];
  const missing = await findDatesWithoutContent(db, dates);
  // A date that had content in between is reported again.
  await forgetAlerts(db, missing);
  let published = 0;
  for (const date of missing) {
    published += await db.transaction().execute(async (trx) => {
      if (!(await rememberAlert(trx, date, now))) return 0;
      await publish(trx, schedulerEvents, 'scheduler.content.missing', { date }, now);
      return 1;
    });
  }
  return published;
}
