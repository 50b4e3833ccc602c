import type { Loop } from '@daylift/server/loops';
import type { BillingDeps } from '../deps.ts';
import { enqueueTask } from '../provider-tasks/provider-tasks.repository.ts';
import { findDueDunning, nextDunning } from './dunning.repository.ts';

type Deps = Pick<BillingDeps, 'db' | 'clock' | 'wake'>;

/** Enqueues the emails after a failed payment when they are due. */
export function createDunningLoop({ db, clock, wake }: Deps): Loop {
  return {
    name: 'dunning',
    everyMs: 5_000,
    async run() {
      const now = clock.now();
      const users = await findDueDunning(db, now, 100);
      await enqueueTask(db, 'remind_of_payment', users, now);
      if (users.length > 0) wake('provider-tasks');
      return users.length;
    },
    nextAt: () => nextDunning(db),
  };
}
