import { billingApi } from '@daylift/contracts/billing.api';
import type { Server } from '@daylift/server/create-server';
import { userOf } from '@daylift/server/identity';
import { implement } from '@daylift/server/implement';
import { findOrFetchCustomer } from '../customers/customers.actions.ts';
import type { BillingDeps } from '../deps.ts';
import { UnknownUser } from '../errors.ts';
import { readFigures } from './referrals.repository.ts';

export function referralRoutes(app: Server, deps: BillingDeps): void {
  implement(app, billingApi, {
    'GET /users/me/referrals': async (request) => {
      const { user_id } = userOf(request);
      if ((await findOrFetchCustomer(deps, user_id)) === undefined) throw new UnknownUser();
      return { ...(await readFigures(deps.db, user_id)), currency: deps.catalogue.currency };
    },
  });
}
