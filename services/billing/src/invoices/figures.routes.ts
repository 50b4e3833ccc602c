import { BillingFigures } from '@daylift/contracts/billing.http';
import { ErrorBody } from '@daylift/contracts/error';
import type { Server } from '@daylift/server/create-server';
import { requireService } from '@daylift/server/identity';
import type { BillingDeps } from '../deps.ts';
import { countByStatus } from '../subscriptions/subscriptions.repository.ts';
import { sumRevenue } from './invoices.repository.ts';

export async function figuresRoutes(
  app: Server,
  { db, catalogue }: Pick<BillingDeps, 'db' | 'catalogue'>,
): Promise<void> {
  app.addHook('onRequest', requireService);
  const schema = { response: { 200: BillingFigures, 401: ErrorBody, 403: ErrorBody } };
  const read = async () => {
    const [subscriptions, revenue] = await Promise.all([
      countByStatus(db),
      sumRevenue(db, catalogue.currency),
    ]);
    return { subscriptions, revenue: { ...revenue, total: revenue.total_cents / 100 } };
  };
  app.get('/internal/analytics/billing', { schema }, read);
  app.get('/internal/live', { schema }, read);
}
