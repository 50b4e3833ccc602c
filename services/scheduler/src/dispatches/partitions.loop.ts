import { hourMs } from '@daylift/clock/durations';
import { ensureMonthlyPartitions } from '@daylift/database/partitions';
import type { Loop } from '@daylift/server/loops';
import type { Kysely } from 'kysely';
import type { SchedulerDeps } from '../deps.ts';

type Deps = Pick<SchedulerDeps, 'db' | 'clock'>;

/** Makes the plan's partitions for the months ahead. */
export const preparePartitions = ({ db, clock }: Deps): Promise<void> =>
  ensureMonthlyPartitions(db as unknown as Kysely<never>, 'dispatches', clock.now());

/** Keeps them ready as time goes on. It is no work that time would have to wait for. */
export const partitionsLoop = (deps: Deps): Loop => ({
  name: 'dispatch-partitions',
  everyMs: hourMs,
  run: () => preparePartitions(deps).then(() => 0),
});
