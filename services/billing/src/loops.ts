import { foldCounters } from '@daylift/database/counters';
import type { Running } from '@daylift/events/run-service';
import { createMailLoop } from '@daylift/mail/mail';
import type { Loop } from '@daylift/server/loops';
import type { BillingConfig } from './config.ts';
import type { BillingDatabase } from './database.ts';
import type { BillingDeps } from './deps.ts';
import { createTrialReminderLoop } from './notices/trial-reminders.ts';
import { createProviderTaskLoops } from './provider-tasks/provider-tasks.loop.ts';
import { createReconcileLoop } from './stripe-webhooks/reconcile.loop.ts';
import { createSubscriptionLoops } from './subscriptions/subscriptions.loops.ts';
import { taskHandlers } from './tasks.ts';

export function billingLoops(
  deps: BillingDeps,
  { config }: Pick<Running<BillingDatabase, BillingConfig>, 'config'>,
): Loop[] {
  return [
    deps.prices.loop,
    ...createProviderTaskLoops(deps, taskHandlers),
    ...createSubscriptionLoops(deps),
    createReconcileLoop(deps),
    createTrialReminderLoop(deps),
    { name: 'fold-counters', everyMs: 1_000, run: () => foldCounters(deps.db) },
    createMailLoop({ ...deps, config }),
  ];
}
