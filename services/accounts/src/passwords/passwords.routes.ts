import {
  ChangePasswordRequest,
  ChangePasswordResponse,
  Done,
  SetPasswordRequest,
} from '@daylift/contracts/accounts.http';
import { ErrorBody } from '@daylift/contracts/error';
import { bodyOrQuery } from '@daylift/server/body-or-query';
import type { Server } from '@daylift/server/create-server';
import { requireUser, userOf } from '@daylift/server/identity';
import { senderOf } from '@daylift/server/sender';
import { Type } from 'typebox';
import type { AccountsDeps } from '../deps.ts';
import { changePassword } from './passwords.actions.ts';
import { requestCode, setPassword } from './set-password.ts';

/** The same for everybody, known or not. */
const codeIsOnItsWay = {
  detail:
    'If there is an account with this email or phone, a code is on its way. It works for 10 minutes.',
};

export function setPasswordRoutes(app: Server, deps: AccountsDeps): void {
  app.post(
    '/users/set-password',
    {
      schema: {
        body: SetPasswordRequest,
        response: { 200: Done, 202: Done, 400: ErrorBody, 429: ErrorBody, 503: ErrorBody },
      },
    },
    async (request, reply) => {
      const { code, ...rest } = request.body;
      const { ip } = senderOf(request);
      if (code === undefined) {
        await requestCode(deps, rest.email_or_phone, ip);
        reply.code(202);
        return codeIsOnItsWay;
      }
      await setPassword(deps, { ...rest, code }, ip);
      return { detail: 'Your password is set. Please sign in with it.' };
    },
  );
}

/** For whom reads the description; what counts is checked as a body. */
const ChangePasswordQuery = Type.Object({
  old_password: Type.Optional(Type.String()),
  new_password: Type.Optional(Type.String()),
});

export function changePasswordRoutes(app: Server, deps: AccountsDeps): void {
  app.addHook('onRequest', requireUser);

  app.post(
    '/users/me/change-password',
    {
      preValidation: bodyOrQuery,
      schema: {
        querystring: ChangePasswordQuery,
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
