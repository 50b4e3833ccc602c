import { PublicCatalogue } from '@daylift/contracts/billing.http';
import type { Server } from '@daylift/server/create-server';
import type { BillingDeps } from '../deps.ts';
import { publicCatalogue } from './catalogue.ts';

export async function catalogueRoutes(
  app: Server,
  { catalogue, product }: Pick<BillingDeps, 'catalogue' | 'product'>,
): Promise<void> {
  const plans = publicCatalogue(catalogue, product);
  app.get('/plans', { schema: { response: { 200: PublicCatalogue } } }, async (_request, reply) => {
    reply.header('cache-control', 'public, max-age=60');
    return plans;
  });
}
