import { ReferralFigures } from '@daylift/contracts/billing.http';
import { ErrorBody } from '@daylift/contracts/error';
import type { Server } from '@daylift/server/create-server';
import { requireUser, userOf } from '@daylift/server/identity';
import { findOrFetchCustomer } from '../customers/customers.actions.ts';
import type { BillingDeps } from '../deps.ts';
import { UnknownUser } from '../errors.ts';
import { readFigures } from './referrals.repository.ts';

export async function referralRoutes(
  app: Server,
  deps: Pick<BillingDeps, 'db' | 'accounts' | 'catalogue'>,
): Promise<void> {
  app.addHook('onRequest', requireUser);
  app.get(
    '/users/me/referrals',
    {
      schema: {
        response: { 200: ReferralFigures, 401: ErrorBody, 403: ErrorBody, 404: ErrorBody },
      },
    },
    async (request) => {
      const { user_id } = userOf(request);
      if ((await findOrFetchCustomer(deps, user_id)) === undefined) throw new UnknownUser();
      return { ...(await readFigures(deps.db, user_id)), currency: deps.catalogue.currency };
    },
  );
}
