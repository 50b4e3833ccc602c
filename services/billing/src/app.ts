import { billingApi } from '@daylift/contracts/billing.api';
import { publishAdminAction } from '@daylift/events/admin-actions';
import { registerFailed } from '@daylift/events/failed/failed.routes';
import { failedEvents } from '@daylift/events/failed/failed-events';
import { failedMails } from '@daylift/mail/failed-mails';
import type { Server } from '@daylift/server/create-server';
import { type AppSettings, createServiceServer } from '@daylift/server/implement';
import { businessRoutes } from './business/business.routes.ts';
import { catalogueRoutes } from './catalogue/catalogue.routes.ts';
import { checkoutRoutes } from './checkouts/checkouts.routes.ts';
import { consumers } from './consumers.ts';
import type { BillingDatabase } from './database.ts';
import type { BillingDeps } from './deps.ts';
import { disputeRoutes } from './disputes/disputes.routes.ts';
import { exportRoutes } from './export/export.routes.ts';
import { giftRoutes } from './gifts/gifts.routes.ts';
import { figuresRoutes } from './invoices/figures.routes.ts';
import { userInvoiceRoutes } from './invoices/user-invoices.routes.ts';
import { lostDayRoutes } from './lost-days/lost-days.routes.ts';
import { planRoutes } from './plans/plans.routes.ts';
import { priceChangeRoutes } from './price-changes/price-changes.routes.ts';
import { promotionRoutes } from './promotions/promotions.routes.ts';
import { failedTasks } from './provider-tasks/failed-tasks.repository.ts';
import { referralRoutes } from './referrals/referrals.routes.ts';
import { staffActionRoutes } from './staff-actions/staff-actions.routes.ts';
import { stripeWebhookRoutes } from './stripe-webhooks/stripe-webhook.routes.ts';
import { subscriptionRoutes } from './subscriptions/subscriptions.routes.ts';
import { timelineRoutes } from './timeline/timeline.routes.ts';

export async function buildApp(deps: BillingDeps, settings: AppSettings): Promise<Server> {
  const app = createServiceServer(billingApi, settings);
  // In its own scope, because it reads the body as bytes.
  await app.register(stripeWebhookRoutes, deps);
  catalogueRoutes(app, deps);
  checkoutRoutes(app, deps);
  subscriptionRoutes(app, deps);
  planRoutes(app, deps);
  priceChangeRoutes(app, deps);
  promotionRoutes(app, deps);
  giftRoutes(app, deps);
  referralRoutes(app, deps);
  staffActionRoutes(app, deps);
  lostDayRoutes(app, deps);
  userInvoiceRoutes(app, deps);
  disputeRoutes(app, deps);
  figuresRoutes(app, deps);
  businessRoutes(app, deps);
  exportRoutes(app, deps);
  timelineRoutes(app, deps);
  registerFailed(app, 'billing', {
    ...deps,
    sources: [failedEvents(consumers(deps)), failedTasks, failedMails<BillingDatabase>()],
    record: (trx, by, adminAction, now) => publishAdminAction(trx, 'billing', by, adminAction, now),
  });
  return app;
}
