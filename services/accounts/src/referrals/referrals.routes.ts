import { accountsApi } from '@daylift/contracts/accounts.api';
import type { Server } from '@daylift/server/create-server';
import { userOf } from '@daylift/server/identity';
import { implement } from '@daylift/server/implement';
import type { AccountsDeps } from '../deps.ts';
import { giveReferralLink } from './referrals.actions.ts';

export function referralRoutes(app: Server, deps: AccountsDeps): void {
  implement(app, accountsApi, {
    'POST /users/me/generate-referral': (request) => giveReferralLink(deps, userOf(request)),
  });
}
