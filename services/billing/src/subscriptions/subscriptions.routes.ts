import { billingApi } from '@daylift/contracts/billing.api';
import { ownStatusOf, shownStatusOf } from '@daylift/contracts/shown-status';
import type { Server } from '@daylift/server/create-server';
import { userOf } from '@daylift/server/identity';
import { implement } from '@daylift/server/implement';
import { findOrFetchCustomer } from '../customers/customers.actions.ts';
import type { BillingDeps } from '../deps.ts';
import { UnknownUser } from '../errors.ts';
import { readSubscriptionDays } from '../figures/subscription-days.ts';
import {
  findSubscription,
  findSubscriptions,
  listSubscriptions,
  type Subscription,
} from './subscriptions.repository.ts';

/** An expired or canceled subscription has no current period. */
const hasPeriod = ({ status }: Subscription): boolean =>
  ['trial', 'active', 'past_due'].includes(status);

const text = (instant: Date | null): string | null => instant?.toISOString() ?? null;

export function subscriptionRoutes(app: Server, deps: BillingDeps): void {
  implement(app, billingApi, {
    'GET /users/me/subscription': async (request) => {
      const { user_id } = userOf(request);
      const row = await findSubscription(deps.db, user_id);
      if (row !== undefined) {
        return {
          status: ownStatusOf(row.status, row.entitled),
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
    'GET /internal/renewals': async (request) =>
      (await findSubscriptions(deps.db, request.query.ids.split(','))).map((row) => ({
        user_id: row.user_id,
        period_end: hasPeriod(row) ? text(row.current_period_end) : null,
        renews: !row.cancel_at_period_end,
      })),
    'GET /admin/subscriptions/figures': ({ query }) =>
      readSubscriptionDays(deps.db, query.days, {
        now: deps.clock.now(),
        timeZone: deps.operatorTimeZone,
      }),
    'GET /admin/subscriptions': async (request) => {
      const { rows, total } = await listSubscriptions(deps.db, request.query);
      return {
        rows: rows.map((row) => ({
          user_id: row.user_id,
          status: shownStatusOf(row.status, row.entitled),
          plan: row.plan,
          trial_end_date: text(row.trial_end),
          current_period_end: text(row.current_period_end),
        })),
        total,
      };
    },
  });
}
