import { DeleteAccountRequest, Done } from '@daylift/contracts/accounts.http';
import { ErrorBody } from '@daylift/contracts/error';
import type { Server } from '@daylift/server/create-server';
import { requireUser, userOf } from '@daylift/server/identity';
import type { AccountsDeps } from '../deps.ts';
import { deleteAccount } from './deletions.actions.ts';

export function deletionRoutes(app: Server, deps: AccountsDeps): void {
  app.addHook('onRequest', requireUser);

  app.post(
    '/users/me/delete',
    {
      schema: {
        body: DeleteAccountRequest,
        response: {
          200: Done,
          400: ErrorBody,
          401: ErrorBody,
          403: ErrorBody,
          422: ErrorBody,
          429: ErrorBody,
          503: ErrorBody,
        },
      },
    },
    async (request) => {
      await deleteAccount(deps, userOf(request), request.body.password);
      return { detail: 'Your account has been deleted.' };
    },
  );
}
