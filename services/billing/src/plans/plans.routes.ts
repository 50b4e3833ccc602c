import {
  ChangePlanRequest,
  PlanPreview,
  PlanPreviewQuery,
  PlanView,
  PortalRequest,
  PortalResponse,
} from '@daylift/contracts/billing.http';
import { ErrorBody } from '@daylift/contracts/error';
import type { Server } from '@daylift/server/create-server';
import { requireUser, userOf } from '@daylift/server/identity';
import type { BillingDeps } from '../deps.ts';
import { findPlanView } from './plan-view.ts';
import { changePlan, previewPlan } from './plans.actions.ts';
import { openPortal } from './portal.ts';

const refused = { 401: ErrorBody, 403: ErrorBody, 404: ErrorBody };
const changed = { 200: PlanView, ...refused, 400: ErrorBody, 409: ErrorBody, 503: ErrorBody };

export async function planRoutes(app: Server, deps: BillingDeps): Promise<void> {
  app.addHook('onRequest', requireUser);
  app.get(
    '/users/me/plan',
    { schema: { response: { 200: PlanView, ...refused } } },
    async (request) => findPlanView(deps, userOf(request).user_id),
  );
  app.get(
    '/users/me/plan/preview',
    {
      schema: {
        querystring: PlanPreviewQuery,
        response: {
          200: PlanPreview,
          ...refused,
          400: ErrorBody,
          402: ErrorBody,
          409: ErrorBody,
          503: ErrorBody,
        },
      },
    },
    async (request) => previewPlan(deps, userOf(request).user_id, request.query),
  );
  for (const action of ['upgrade', 'switch'] as const) {
    app.post(
      `/users/me/plan/${action}`,
      { schema: { body: ChangePlanRequest, response: { ...changed, 402: ErrorBody } } },
      async (request) => changePlan(deps, userOf(request).user_id, { action, ...request.body }),
    );
  }
  app.post('/users/me/plan/cancel', { schema: { response: changed } }, async (request) =>
    changePlan(deps, userOf(request).user_id, { action: 'cancel' }),
  );
  app.post('/users/me/plan/undo-cancel', { schema: { response: changed } }, async (request) =>
    changePlan(deps, userOf(request).user_id, { action: 'undo_cancel' }),
  );
  app.post(
    '/users/me/plan/portal',
    {
      schema: {
        body: PortalRequest,
        response: {
          200: PortalResponse,
          ...refused,
          400: ErrorBody,
          409: ErrorBody,
          503: ErrorBody,
        },
      },
    },
    async (request) => ({
      url: await openPortal(deps, userOf(request).user_id, request.body.origin_url),
    }),
  );
}
