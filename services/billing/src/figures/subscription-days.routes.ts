import { ErrorBody } from '@daylift/contracts/error';
import { SubscriptionDayList, SubscriptionDaysQuery } from '@daylift/contracts/figures.http';
import type { Server } from '@daylift/server/create-server';
import { requireAdmin } from '@daylift/server/identity';
import type { BillingDeps } from '../deps.ts';
import { readSubscriptionDays } from './subscription-days.ts';

/** How many began a trial, paid for the first time and left, day by day. */
export async function subscriptionDayRoutes(
  app: Server,
  { db, clock, operatorTimeZone }: BillingDeps,
): Promise<void> {
  app.addHook('onRequest', requireAdmin('viewer'));
  app.get(
    '/admin/subscriptions/figures',
    {
      schema: {
        querystring: SubscriptionDaysQuery,
        response: { 200: SubscriptionDayList, 400: ErrorBody, 401: ErrorBody, 403: ErrorBody },
      },
    },
    ({ query }) =>
      readSubscriptionDays(db, query.days, { now: clock.now(), timeZone: operatorTimeZone }),
  );
}
