import { accountsApi } from '@daylift/contracts/accounts.api';
import { bodyOrQuery } from '@daylift/server/body-or-query';
import type { Server } from '@daylift/server/create-server';
import { userOf } from '@daylift/server/identity';
import { implement } from '@daylift/server/implement';
import { senderOf } from '@daylift/server/sender';
import type { SessionDeps } from '../deps.ts';
import { changePassword } from './passwords.actions.ts';
import { requestCode, setPassword } from './set-password.ts';

/** The same for everyone, with or without an account. */
const codeIsOnItsWay = {
  detail:
    'If there is an account with this email or phone, a code is on its way. It works for 10 minutes.',
};

export function passwordRoutes(app: Server, deps: SessionDeps): void {
  implement(app, accountsApi, {
    'POST /users/set-password': async (request, reply) => {
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
  });
  implement(
    app,
    accountsApi,
    {
      'POST /users/me/change-password': async (request) => ({
        detail: 'Password changed successfully!',
        access_token: await changePassword(deps, userOf(request), request.body),
        token_type: 'bearer' as const,
      }),
    },
    { preValidation: bodyOrQuery },
  );
}
