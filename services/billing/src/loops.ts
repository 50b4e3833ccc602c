import { foldCounters } from '@daylift/database/counters';
import type { Loop } from '@daylift/server/loops';
import type { BillingDeps } from './deps.ts';
import { createTrialReminderLoop } from './notices/trial-reminders.ts';
import { createProviderTaskLoops } from './provider-tasks/provider-tasks.loop.ts';
import { createReconcileLoop } from './stripe-webhooks/reconcile.loop.ts';
import { createSubscriptionLoops } from './subscriptions/subscriptions.loops.ts';
import { taskHandlers } from './tasks.ts';

/** Background tasks of this service, besides events and mail. */
export function createBillingLoops(deps: BillingDeps): Loop[] {
  return [
    deps.prices.loop,
    ...createProviderTaskLoops(deps, taskHandlers),
    ...createSubscriptionLoops(deps),
    createReconcileLoop(deps),
    createTrialReminderLoop(deps),
    { name: 'fold-counters', everyMs: 1_000, run: () => foldCounters(deps.db) },
  ];
}
