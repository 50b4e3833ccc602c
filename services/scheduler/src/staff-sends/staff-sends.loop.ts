import type { Loop } from '@daylift/server/loops';
import type { SchedulerDeps } from '../deps.ts';
import { fanOutPage } from './fan-out.ts';
import { countUnfinished } from './staff-sends.repository.ts';

/** Goes on with staff sends whose request is gone, such as after a crash. */
export function staffSendsLoop(deps: SchedulerDeps): Loop {
  return {
    name: 'staff-sends',
    everyMs: 2_000,
    run: () => fanOutPage(deps),
    pending: () => countUnfinished(deps.db),
  };
}
