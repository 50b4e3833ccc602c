import type { Loop } from '@daylift/server/loops';
import type { SchedulerDeps } from '../deps.ts';
import { countDue, earliestDue } from './dispatches.repository.ts';
import { recordHeartbeat } from './heartbeats.repository.ts';
import { releaseDue } from './release.actions.ts';

/** Hands over due texts, 50 at a time. */
export function releaseDispatchesLoop(deps: SchedulerDeps): Loop {
  const { db, clock } = deps;
  return {
    name: 'release-dispatches',
    everyMs: 1_000,
    run: async () => {
      await recordHeartbeat(db, 'release-dispatches', clock.now());
      return (await releaseDue(deps)).looked;
    },
    pending: () => countDue(db, clock.now()),
    nextAt: () => earliestDue(db),
  };
}
