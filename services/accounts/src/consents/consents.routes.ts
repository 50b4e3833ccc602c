import { accountsApi } from '@daylift/contracts/accounts.api';
import type { Server } from '@daylift/server/create-server';
import { userOf } from '@daylift/server/identity';
import { implement } from '@daylift/server/implement';
import type { AccountsDeps } from '../deps.ts';
import { requestConsent } from './consents.actions.ts';

export function consentRoutes(app: Server, deps: AccountsDeps): void {
  implement(app, accountsApi, {
    'POST /users/me/consent-request': async (request) => {
      await requestConsent(deps, userOf(request));
      return { detail: 'Please reply YES to our text to get your texts.' };
    },
  });
}
