import { billingApi } from '@daylift/contracts/billing.api';
import { defaultCurrency } from '@daylift/contracts/plans';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import type { BillingDeps } from '../deps.ts';
import { findLostDaySettings } from '../lost-days/lost-days.repository.ts';
import { publicCatalogue } from './catalogue.ts';

export function catalogueRoutes(
  app: Server,
  { db, catalogues, countryCurrencies, product, addsTax }: BillingDeps,
): void {
  implement(app, billingApi, {
    'GET /plans': async ({ query }, reply) => {
      const { enabled, max_days_per_month } = await findLostDaySettings(db);
      reply.header('cache-control', 'public, max-age=60');
      return publicCatalogue(catalogues[query.currency ?? defaultCurrency], {
        product,
        lostDaysPerMonth: enabled ? max_days_per_month : 0,
        addsTax,
        countryCurrencies,
      });
    },
  });
}
