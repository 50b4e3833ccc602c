import { billingApi } from '@daylift/contracts/billing.api';
import type { Server } from '@daylift/server/create-server';
import { userOf } from '@daylift/server/identity';
import { implement } from '@daylift/server/implement';
import type { BillingDeps } from '../deps.ts';
import { cancelByLink } from './cancel-by-link.ts';
import { findPlanView } from './plan-view.ts';
import { changePlan, previewPlan } from './plans.actions.ts';
import { openPortal } from './portal.ts';
import { choosePrice } from './price-choice.ts';

export function planRoutes(app: Server, deps: BillingDeps): void {
  implement(app, billingApi, {
    'GET /users/me/plan': (request) => findPlanView(deps, userOf(request).user_id),
    'GET /users/me/plan/preview': (request) =>
      previewPlan(deps, userOf(request).user_id, request.query),
    'POST /users/me/plan/upgrade': (request) =>
      changePlan(deps, userOf(request).user_id, { action: 'upgrade', ...request.body }),
    'POST /users/me/plan/switch': (request) =>
      changePlan(deps, userOf(request).user_id, { action: 'switch', ...request.body }),
    'POST /users/me/plan/cancel': (request) =>
      changePlan(deps, userOf(request).user_id, { action: 'cancel' }),
    'POST /plans/cancel': (request) => cancelByLink(deps, request.body.token),
    'POST /users/me/plan/undo-cancel': (request) =>
      changePlan(deps, userOf(request).user_id, { action: 'undo_cancel' }),
    'POST /users/me/plan/pay': (request) =>
      changePlan(deps, userOf(request).user_id, { action: 'pay', ...request.body }),
    'POST /users/me/plan/price': (request) =>
      choosePrice(deps, userOf(request).user_id, request.body.accept),
    'POST /users/me/plan/portal': async (request) => ({
      url: await openPortal(deps, userOf(request).user_id, request.body.origin_url),
    }),
  });
}
