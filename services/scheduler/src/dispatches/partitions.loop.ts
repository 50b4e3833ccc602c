import { dayMs, hourMs } from '@daylift/clock/durations';
import { runAlone } from '@daylift/database/advisory-locks';
import { dropOldPartitions, ensureMonthlyPartitions } from '@daylift/database/partitions';
import type { Loop } from '@daylift/server/loops';
import type { Kysely } from 'kysely';
import { rememberTemplates } from '../contents/past-templates.repository.ts';
import type { SchedulerDeps } from '../deps.ts';

type Deps = Pick<SchedulerDeps, 'db' | 'clock'>;

/** Creates the plan's partitions for the coming months. */
export const preparePartitions = ({ db, clock }: Deps): Promise<void> =>
  ensureMonthlyPartitions(db as unknown as Kysely<never>, 'dispatches', clock.now());

/** Creates and drops partitions. */
export const partitionsLoop = (deps: Deps & Pick<SchedulerDeps, 'retentionMonths'>): Loop => ({
  name: 'dispatch-partitions',
  everyMs: hourMs,
  settleEveryMs: dayMs,
  run: async () => {
    await preparePartitions(deps);
    return runAlone(deps.db, 'drop_dispatches', async () => {
      await dropOldPartitions(
        deps.db as unknown as Kysely<never>,
        {
          table: 'dispatches',
          keptMonths: deps.retentionMonths,
          beforeDrop: (month) => rememberTemplates(deps.db, month),
        },
        deps.clock.now(),
      );
      return 0;
    });
  },
});
