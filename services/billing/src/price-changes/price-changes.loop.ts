import type { Loop } from '@daylift/server/loops';
import type { BillingDeps } from '../deps.ts';
import { enqueueTask } from '../provider-tasks/provider-tasks.repository.ts';
import { planNextChanges } from './price-changes.actions.ts';
import { findDueChanges, nextDueChange } from './price-changes.repository.ts';

/** Few, because tasks run in due order, and others must not wait behind every subscriber's. */
const maxConcurrentTasks = 16;

/** Plans the price changes that owners start, and enqueues each next step when it is due. */
export function createPriceChangeLoop({
  db,
  clock,
  wake,
}: Pick<BillingDeps, 'db' | 'clock' | 'wake'>): Loop {
  return {
    name: 'price-changes',
    everyMs: 5_000,
    async run() {
      const now = clock.now();
      const isPlanning = await planNextChanges(db);
      const users = await findDueChanges(db, now, maxConcurrentTasks);
      await enqueueTask(db, 'follow_price_change', users, now);
      if (users.length > 0) wake('provider-tasks');
      return users.length + (isPlanning ? 1 : 0);
    },
    nextAt: () => nextDueChange(db),
  };
}
