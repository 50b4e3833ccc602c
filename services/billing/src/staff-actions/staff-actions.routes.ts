import { billingApi } from '@daylift/contracts/billing.api';
import type { Server } from '@daylift/server/create-server';
import { adminOf } from '@daylift/server/identity';
import { implement } from '@daylift/server/implement';
import { actingStaff } from '../acting-staff.ts';
import type { BillingDeps } from '../deps.ts';
import {
  type RequestedAction,
  readStaffOptions,
  takeStaffAction,
} from './staff-actions.actions.ts';

export function staffActionRoutes(app: Server, deps: BillingDeps): void {
  const take = (
    request: Parameters<typeof actingStaff>[0],
    userId: string,
    requested: RequestedAction,
  ) => takeStaffAction(deps, userId, requested, actingStaff(request));
  implement(app, billingApi, {
    'GET /admin/subscriptions/:id/options': (request) =>
      readStaffOptions(deps, request.params.id, adminOf(request).role),
    'POST /admin/subscriptions/:id/refund': (request) =>
      take(request, request.params.id, { kind: 'refund', ...request.body }),
    'POST /admin/subscriptions/:id/credit': (request) =>
      take(request, request.params.id, { kind: 'credit', ...request.body }),
    'POST /admin/subscriptions/:id/free-days': (request) =>
      take(request, request.params.id, { kind: 'free_days', ...request.body }),
    'POST /admin/subscriptions/:id/extend-trial': (request) =>
      take(request, request.params.id, { kind: 'extend_trial', ...request.body }),
    'POST /admin/subscriptions/:id/free-access': (request) =>
      take(request, request.params.id, { kind: 'free_access', ...request.body }),
    'POST /admin/subscriptions/:id/cancel': (request) => {
      const { when, ...body } = request.body;
      const kind = when === 'now' ? 'cancel_now' : 'cancel_at_period_end';
      return take(request, request.params.id, { kind, ...body });
    },
  });
}
