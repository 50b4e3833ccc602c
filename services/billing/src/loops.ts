import { createCleanupLoop } from '@daylift/database/cleanup';
import { createFoldLoop } from '@daylift/database/counters';
import type { Running } from '@daylift/events/run-service';
import { createMailLoop } from '@daylift/mail/mail';
import type { Loop } from '@daylift/server/loops';
import { createMonthReportLoop } from './business/month-report.ts';
import { createComparisonLoop } from './comparison/comparison.loop.ts';
import type { BillingConfig } from './config.ts';
import type { BillingDatabase } from './database.ts';
import type { BillingDeps } from './deps.ts';
import { createDunningLoop } from './dunning/dunning.loop.ts';
import { createGiftReminderLoop } from './gifts/gift-reminders.loop.ts';
import { failedMailsToErased, unpaidGifts } from './gifts/gifts.repository.ts';
import { createPriceChangeLoop } from './price-changes/price-changes.loop.ts';
import { createProviderTaskLoop } from './provider-tasks/provider-tasks.loop.ts';
import { doneTasks } from './provider-tasks/provider-tasks.repository.ts';
import { createReconcileLoop } from './stripe-webhooks/reconcile.loop.ts';
import { oldEvents } from './stripe-webhooks/stripe-events.repository.ts';
import { createSubscriptionLoops } from './subscriptions/subscriptions.loops.ts';
import { taskHandlers } from './tasks.ts';
import { createTrialReminderLoop } from './trials/trial-reminders.ts';

export function billingLoops(
  deps: BillingDeps,
  { config }: Pick<Running<BillingDatabase, BillingConfig>, 'config'>,
): Loop[] {
  return [
    deps.prices.loop,
    createProviderTaskLoop(deps, taskHandlers),
    ...createSubscriptionLoops(deps),
    createReconcileLoop(deps),
    createComparisonLoop(deps),
    createTrialReminderLoop(deps),
    createGiftReminderLoop(deps),
    createDunningLoop(deps),
    createPriceChangeLoop(deps),
    createMonthReportLoop(deps),
    createFoldLoop(deps.db),
    createCleanupLoop(deps, [doneTasks, oldEvents, unpaidGifts, failedMailsToErased]),
    createMailLoop({ ...deps, config, render: (mail) => deps.giftCodes.insert(mail) }),
  ];
}
