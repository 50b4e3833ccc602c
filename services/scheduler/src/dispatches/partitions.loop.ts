import { hourMs } from '@daylift/clock/durations';
import { ensureMonthlyPartitions } from '@daylift/database/partitions';
import type { Loop } from '@daylift/server/loops';
import type { Kysely } from 'kysely';
import type { SchedulerDeps } from '../deps.ts';

type Deps = Pick<SchedulerDeps, 'db' | 'clock'>;

/** Creates the plan's partitions for the coming months. */
export const preparePartitions = ({ db, clock }: Deps): Promise<void> =>
  ensureMonthlyPartitions(db as unknown as Kysely<never>, 'dispatches', clock.now());

/** Nothing waits for this task when time moves. */
export const partitionsLoop = (deps: Deps): Loop => ({
  name: 'dispatch-partitions',
  everyMs: hourMs,
  run: () => preparePartitions(deps).then(() => 0),
});
