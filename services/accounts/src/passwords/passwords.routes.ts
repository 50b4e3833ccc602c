import { ChangePasswordRequest, ChangePasswordResponse } from '@daylift/contracts/accounts.http';
import { ErrorBody } from '@daylift/contracts/error';
import { bodyOrQuery } from '@daylift/server/body-or-query';
import type { Server } from '@daylift/server/create-server';
import { requireUser, userOf } from '@daylift/server/identity';
import type { AccountsDeps } from '../deps.ts';
import { changePassword } from './passwords.actions.ts';

export function changePasswordRoutes(app: Server, deps: AccountsDeps): void {
  app.addHook('onRequest', requireUser);

  app.post(
    '/users/me/change-password',
    {
      preValidation: bodyOrQuery,
      schema: {
        body: ChangePasswordRequest,
        response: {
          200: ChangePasswordResponse,
          400: ErrorBody,
          401: ErrorBody,
          403: ErrorBody,
          422: ErrorBody,
          429: ErrorBody,
          503: ErrorBody,
        },
      },
    },
    async (request) => ({
      detail: 'Password changed successfully!',
      access_token: await changePassword(deps, userOf(request), request.body),
      token_type: 'bearer' as const,
    }),
  );
}
