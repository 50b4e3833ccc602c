import type { Loop } from '@daylift/server/loops';
import type { SchedulerDeps } from '../deps.ts';
import { listZones } from '../subscribers/subscribers.repository.ts';
import { planNextZone } from './announcements.actions.ts';

/** Plans announcements zone by zone, two hours ahead. */
export function planAnnouncementsLoop({ db, clock }: SchedulerDeps): Loop {
  return {
    name: 'plan-announcements',
    everyMs: 30_000,
    run: async () => ((await planNextZone(db, await listZones(db), clock.now())) ? 1 : 0),
  };
}
