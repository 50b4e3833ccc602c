import { ReferralLink } from '@daylift/contracts/accounts.http';
import { ErrorBody } from '@daylift/contracts/error';
import type { Server } from '@daylift/server/create-server';
import { requireUser, userOf } from '@daylift/server/identity';
import type { AccountsDeps } from '../deps.ts';
import { NoFields, takeEmptyBody } from '../users/empty-body.ts';
import { giveReferralLink } from './referrals.actions.ts';

export function referralRoutes(app: Server, deps: AccountsDeps): void {
  app.addHook('onRequest', requireUser);
  takeEmptyBody(app);

  app.post(
    '/users/me/generate-referral',
    {
      schema: {
        body: NoFields,
        response: { 200: ReferralLink, 400: ErrorBody, 401: ErrorBody, 403: ErrorBody },
      },
    },
    async (request) => giveReferralLink(deps, userOf(request)),
  );
}
