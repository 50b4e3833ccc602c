import { billingApi } from '@daylift/contracts/billing.api';
import type { BillingFigures } from '@daylift/contracts/billing.http';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import type { BillingDeps } from '../deps.ts';
import { countByStatus } from '../subscriptions/subscriptions.repository.ts';
import { sumRevenue } from './invoices.repository.ts';

export function figuresRoutes(app: Server, deps: BillingDeps): void {
  implement(app, billingApi, {
    'GET /internal/analytics/billing': () => readFigures(deps),
    'GET /internal/live': () => readFigures(deps),
  });
}

async function readFigures({ db, catalogue }: BillingDeps): Promise<BillingFigures> {
  const [subscriptions, revenue] = await Promise.all([
    countByStatus(db),
    sumRevenue(db, catalogue.currency),
  ]);
  return { subscriptions, revenue: { ...revenue, total: revenue.total_cents / 100 } };
}
