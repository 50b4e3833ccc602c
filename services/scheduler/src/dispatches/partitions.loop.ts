import { ensureMonthlyPartitions } from '@daylift/database/partitions';
import type { Loop } from '@daylift/server/loops';
import type { Kysely } from 'kysely';
import type { SchedulerDeps } from '../deps.ts';

/** Keeps the months ahead ready. It is no work that time would have to wait for. */
export function partitionsLoop({ db, clock }: SchedulerDeps): Loop {
  return {
    name: 'dispatch-partitions',
    everyMs: 3_600_000,
    run: async () => {
      await ensureMonthlyPartitions(db as unknown as Kysely<never>, 'dispatches', clock.now());
      return 0;
    },
  };
}
