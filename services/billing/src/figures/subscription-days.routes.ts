import { billingApi } from '@daylift/contracts/billing.api';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import type { BillingDeps } from '../deps.ts';
import { readSubscriptionDays } from './subscription-days.ts';

export function subscriptionDayRoutes(
  app: Server,
  { db, clock, operatorTimeZone }: BillingDeps,
): void {
  implement(app, billingApi, {
    'GET /admin/subscriptions/figures': ({ query }) =>
      readSubscriptionDays(db, query.days, { now: clock.now(), timeZone: operatorTimeZone }),
  });
}
