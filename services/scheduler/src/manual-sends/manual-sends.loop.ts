import type { Loop } from '@daylift/server/loops';
import type { SchedulerDeps } from '../deps.ts';
import { fanOutPage } from './fan-out.ts';
import { countUnfinished } from './manual-sends.repository.ts';

/** Resumes manual sends whose request ended, for example after a crash. */
export function manualSendsLoop(deps: SchedulerDeps): Loop {
  return {
    name: 'manual-sends',
    everyMs: 2_000,
    run: () => fanOutPage(deps),
    pending: () => countUnfinished(deps.db),
  };
}
