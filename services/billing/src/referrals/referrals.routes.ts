import { billingApi } from '@daylift/contracts/billing.api';
import type { Server } from '@daylift/server/create-server';
import { userOf } from '@daylift/server/identity';
import { implement } from '@daylift/server/implement';
import { catalogueFor } from '../customers/currency.ts';
import { creditOf, findOrFetchCustomer } from '../customers/customers.actions.ts';
import type { BillingDeps } from '../deps.ts';
import { UnknownUser } from '../errors.ts';
import { findNextBill, readFigures } from './referrals.repository.ts';

export function referralRoutes(app: Server, deps: BillingDeps): void {
  implement(app, billingApi, {
    'GET /users/me/referrals': async (request) => {
      const { user_id } = userOf(request);
      const customer = await findOrFetchCustomer(deps, user_id);
      if (customer === undefined) throw new UnknownUser();
      const [figures, nextBill] = await Promise.all([
        readFigures(deps.db, user_id),
        findNextBill(deps.db, user_id),
      ]);
      return {
        ...figures,
        currency: catalogueFor(deps, customer).currency,
        credit_cents: creditOf(customer),
        next_bill_at: nextBill?.toISOString() ?? null,
      };
    },
  });
}
