import { Done } from '@daylift/contracts/accounts.http';
import { ErrorBody } from '@daylift/contracts/error';
import type { Server } from '@daylift/server/create-server';
import { requireUser, userOf } from '@daylift/server/identity';
import type { AccountsDeps } from '../deps.ts';
import { NoFields, takeEmptyBody } from '../users/empty-body.ts';
import { askForConsent } from './consents.actions.ts';

export function consentRoutes(app: Server, deps: AccountsDeps): void {
  app.addHook('onRequest', requireUser);
  takeEmptyBody(app);

  app.post(
    '/users/me/consent-request',
    {
      schema: {
        body: NoFields,
        response: {
          202: Done,
          400: ErrorBody,
          401: ErrorBody,
          403: ErrorBody,
          409: ErrorBody,
          429: ErrorBody,
        },
      },
    },
    async (request, reply) => {
      await askForConsent(deps, userOf(request));
      reply.code(202);
      return { detail: 'We are texting you. Reply YES to get your texts.' };
    },
  );
}
