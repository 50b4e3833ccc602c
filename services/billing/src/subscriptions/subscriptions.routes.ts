import { AdminSubscriptionList, UserSubscription } from '@daylift/contracts/billing.http';
import { ErrorBody } from '@daylift/contracts/error';
import { Page } from '@daylift/contracts/fields';
import type { Server } from '@daylift/server/create-server';
import { requireAdmin, requireUser, userOf } from '@daylift/server/identity';
import { findOrFetchCustomer } from '../customers/customers.actions.ts';
import type { BillingDeps } from '../deps.ts';
import { UnknownUser } from '../errors.ts';
import { findSubscription, listSubscriptions } from './subscriptions.repository.ts';

type Deps = Pick<BillingDeps, 'db' | 'accounts'>;

const text = (instant: Date | null): string | null => instant?.toISOString() ?? null;

export async function userSubscriptionRoutes(app: Server, deps: Deps): Promise<void> {
  app.addHook('onRequest', requireUser);
  app.get(
    '/users/me/subscription',
    {
      schema: {
        response: { 200: UserSubscription, 401: ErrorBody, 403: ErrorBody, 404: ErrorBody },
      },
    },
    async (request) => {
      const { user_id } = userOf(request);
      const row = await findSubscription(deps.db, user_id);
      if (row !== undefined) {
        return {
          status: row.status,
          plan: row.plan,
          trial_end_date: text(row.trial_end),
          current_period_end: text(row.current_period_end),
          cancel_at_period_end: row.cancel_at_period_end,
        };
      }
      const customer = await findOrFetchCustomer(deps, user_id);
      if (customer === undefined) throw new UnknownUser();
      return {
        status: 'pending' as const,
        plan: customer.plan,
        trial_end_date: null,
        current_period_end: null,
        cancel_at_period_end: false,
      };
    },
  );
}

export async function adminSubscriptionRoutes(app: Server, { db }: Deps): Promise<void> {
  app.addHook('onRequest', requireAdmin('viewer'));
  app.get(
    '/admin/subscriptions',
    {
      schema: {
        querystring: Page,
        response: { 200: AdminSubscriptionList, 400: ErrorBody, 401: ErrorBody, 403: ErrorBody },
      },
    },
    async (request, reply) => {
      const { rows, total } = await listSubscriptions(db, request.query);
      reply.header('x-total-count', total);
      return rows.map((row) => ({
        user_id: row.user_id,
        status: row.status,
        plan: row.plan,
        trial_end_date: text(row.trial_end),
        current_period_end: text(row.current_period_end),
      }));
    },
  );
}
