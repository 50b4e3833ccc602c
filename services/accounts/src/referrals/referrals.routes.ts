import { accountsApi } from '@daylift/contracts/accounts.api';
import type { Server } from '@daylift/server/create-server';
import { userOf } from '@daylift/server/identity';
import { implement } from '@daylift/server/implement';
import type { AccountsDeps } from '../deps.ts';
import { readReferralCode } from '../users/referral-code.ts';
import { giveReferralLink } from './referrals.actions.ts';
import { isKnownCode } from './referrals.repository.ts';

export function referralRoutes(app: Server, deps: AccountsDeps): void {
  implement(app, accountsApi, {
    'GET /referrals': async ({ query }) => ({
      known: await isKnownCode(deps.db, readReferralCode(query.code)),
    }),
    'POST /users/me/generate-referral': (request) => giveReferralLink(deps, userOf(request)),
  });
}
