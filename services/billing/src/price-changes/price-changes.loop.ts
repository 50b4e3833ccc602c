import type { Loop } from '@daylift/server/loops';
import type { BillingDeps } from '../deps.ts';
import { enqueueTask } from '../provider-tasks/provider-tasks.repository.ts';
import { findDueChanges, nextDueChange } from './price-changes.repository.ts';

/** Enqueues the next step of each subscriber's change of price when it is due. */
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
      const users = await findDueChanges(db, now, 100);
      await enqueueTask(db, 'follow_price_change', users, now);
      if (users.length > 0) wake('provider-tasks');
      return users.length;
    },
    nextAt: () => nextDueChange(db),
  };
}
