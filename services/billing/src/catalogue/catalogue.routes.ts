import { billingApi } from '@daylift/contracts/billing.api';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import type { BillingDeps } from '../deps.ts';
import { publicCatalogue } from './catalogue.ts';

export function catalogueRoutes(app: Server, { catalogue, product }: BillingDeps): void {
  const plans = publicCatalogue(catalogue, product);
  implement(app, billingApi, {
    'GET /plans': (_request, reply) => {
      reply.header('cache-control', 'public, max-age=60');
      return plans;
    },
  });
}
