import { billingApi } from '@daylift/contracts/billing.api';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import type { BillingDeps } from '../deps.ts';
import { readRange } from './business-range.ts';
import { readBusiness } from './read-business.ts';

export function businessRoutes(app: Server, deps: BillingDeps): void {
  const { clock, operatorTimeZone } = deps;
  implement(app, billingApi, {
    'GET /admin/business': ({ query }) =>
      readBusiness(
        deps,
        readRange(query, { now: clock.now(), timeZone: operatorTimeZone }),
        query.currency,
      ),
  });
}
