import { billingApi } from '@daylift/contracts/billing.api';
import { actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import type { BillingDeps } from '../deps.ts';
import { movePrices, readPriceMoves, stopMove } from './price-changes.actions.ts';

export function priceChangeRoutes(app: Server, deps: BillingDeps): void {
  implement(app, billingApi, {
    'GET /admin/price-moves': () => readPriceMoves(deps),
    'POST /admin/price-moves': (request) => movePrices(deps, request.body, actingAdmin(request)),
    'POST /admin/price-moves/:id/stop': (request) =>
      stopMove(deps, request.params.id, request.body.reason, actingAdmin(request)),
  });
}
