import { billingApi } from '@daylift/contracts/billing.api';
import { actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import type { BillingDeps } from '../deps.ts';
import { changeLostDaySettings, readLostDaySettings } from './lost-day-settings.ts';

export function lostDayRoutes(app: Server, deps: BillingDeps): void {
  implement(app, billingApi, {
    'GET /admin/settings/lost-days': () => readLostDaySettings(deps),
    'POST /admin/settings/lost-days': (request) =>
      changeLostDaySettings(deps, request.body, actingAdmin(request)),
  });
}
