import { hourMs, minuteMs } from '@daylift/clock/durations';
import type { Loop } from '@daylift/server/loops';
import type { BillingDeps } from '../deps.ts';
import { enqueueTask } from '../provider-tasks/provider-tasks.repository.ts';
import { endEntitlement } from './subscriptions.actions.ts';
import {
  claimOverdue,
  nextEntitlementEnd,
  usersWithEndedEntitlement,
} from './subscriptions.repository.ts';

export function createSubscriptionLoops({
  db,
  clock,
  wake,
}: Pick<BillingDeps, 'db' | 'clock' | 'wake'>): Loop[] {
  return [
    {
      name: 'entitlement-ends',
      everyMs: 1_000,
      async run() {
        const users = await usersWithEndedEntitlement(db, clock.now(), 100);
        for (const user of users)
          await db.transaction().execute((trx) => endEntitlement(trx, user, clock.now()));
        return users.length;
      },
      nextAt: () => nextEntitlementEnd(db),
    },
    {
      // A renewal or an end without an event. A delay of ten minutes is normal.
      name: 'overdue-subscriptions',
      everyMs: 10_000,
      settleEveryMs: 10 * minuteMs,
      async run() {
        const now = clock.now();
        const overdue = await claimOverdue(db, {
          endedBefore: new Date(now.getTime() - 10 * minuteMs),
          checkedBefore: new Date(now.getTime() - hourMs),
          now,
          limit: 100,
        });
        await enqueueTask(db, 'sync_subscription', overdue, now);
        if (overdue.length > 0) wake('provider-tasks');
        return overdue.length;
      },
    },
  ];
}
