import type { Loop } from '@daylift/server/loops';
import type { SchedulerDeps } from '../deps.ts';
import { countDue, earliestDue } from './dispatches.repository.ts';
import { heartbeatMs, recordHeartbeat } from './heartbeats.repository.ts';
import { releaseDue } from './release.actions.ts';

/** Releases due texts. */
export function releaseDispatchesLoop(deps: SchedulerDeps): Loop {
  const { db, clock } = deps;
  let lastHeartbeatAt = new Date(0);
  return {
    name: 'release-dispatches',
    everyMs: 1_000,
    run: async () => {
      const now = clock.now();
      if (now.getTime() - lastHeartbeatAt.getTime() >= heartbeatMs) {
        await recordHeartbeat(db, 'release-dispatches', now);
        lastHeartbeatAt = now;
      }
      return (await releaseDue(deps)).claimed;
    },
    pending: () => countDue(db, clock.now()),
    nextAt: () => earliestDue(db),
  };
}
