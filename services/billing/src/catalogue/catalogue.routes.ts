import { billingApi } from '@daylift/contracts/billing.api';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import type { BillingDeps } from '../deps.ts';
import { findLostDaySettings } from '../lost-days/lost-days.repository.ts';
import { publicCatalogue } from './catalogue.ts';

export function catalogueRoutes(
  app: Server,
  { db, catalogue, product, addsTax }: BillingDeps,
): void {
  implement(app, billingApi, {
    'GET /plans': async (_request, reply) => {
      const { enabled, max_days_per_month } = await findLostDaySettings(db);
      reply.header('cache-control', 'public, max-age=60');
      return publicCatalogue(catalogue, product, enabled ? max_days_per_month : 0, addsTax);
    },
  });
}
