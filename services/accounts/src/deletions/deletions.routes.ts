import { accountsApi } from '@daylift/contracts/accounts.api';
import type { Server } from '@daylift/server/create-server';
import { userOf } from '@daylift/server/identity';
import { implement } from '@daylift/server/implement';
import type { AccountsDeps } from '../deps.ts';
import { deleteAccount } from './deletions.actions.ts';

export function deletionRoutes(app: Server, deps: AccountsDeps): void {
  implement(app, accountsApi, {
    'POST /users/me/delete': async (request) => {
      await deleteAccount(deps, userOf(request), request.body.password);
      return { detail: 'Your account has been deleted.' };
    },
  });
}
