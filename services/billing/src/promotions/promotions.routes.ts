import { billingApi } from '@daylift/contracts/billing.api';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import { actingStaff } from '../acting-staff.ts';
import type { BillingDeps } from '../deps.ts';
import { createPromotion, deactivatePromotion, show } from './promotions.actions.ts';
import { listPromotions } from './promotions.repository.ts';
import { readOffer } from './redeem-promotion.ts';

export function promotionRoutes(app: Server, deps: BillingDeps): void {
  implement(app, billingApi, {
    'GET /promotions/:code': ({ params, query }) =>
      readOffer(deps, {
        code: params.code,
        plan: query.plan,
        signup: query.subscription_id,
        currency: query.currency,
      }),
    'GET /admin/promotions': async ({ query }) => {
      const { rows, total } = await listPromotions(deps.db, query);
      return { rows: rows.map((row) => show(deps, row)), total };
    },
    'POST /admin/promotions': (request) =>
      createPromotion(deps, request.body, actingStaff(request)),
    'POST /admin/promotions/:id/deactivate': (request) =>
      deactivatePromotion(deps, request.params.id, actingStaff(request)),
  });
}
