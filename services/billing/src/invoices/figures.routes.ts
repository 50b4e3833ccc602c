import { billingApi } from '@daylift/contracts/billing.api';
import type { BillingFigures } from '@daylift/contracts/billing.http';
import { defaultCurrency } from '@daylift/contracts/plans';
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

async function readFigures({ db }: BillingDeps): Promise<BillingFigures> {
  const [subscriptions, revenue] = await Promise.all([countByStatus(db), sumRevenue(db)]);
  const isDefault = ({ currency }: { currency: string }) => currency === defaultCurrency;
  const total_cents = revenue.find(isDefault)?.total_cents ?? 0;
  const transactions = revenue.reduce((sum, one) => sum + one.transactions, 0);
  const others = revenue
    .filter((one) => !isDefault(one))
    .map(({ currency, total_cents }) => ({ currency, total_cents }));
  return {
    subscriptions,
    revenue: {
      ...{ total: total_cents / 100, total_cents, transactions },
      ...(others.length > 0 && { others }),
    },
  };
}
