import { accountsApi } from '@daylift/contracts/accounts.api';
import { bodyOrQuery } from '@daylift/server/body-or-query';
import type { Server } from '@daylift/server/create-server';
import { userOf } from '@daylift/server/identity';
import { implement } from '@daylift/server/implement';
import { senderOf } from '@daylift/server/sender';
import type { AccountsDeps } from '../deps.ts';
import { writeAsVisitor, writeToSupport } from './messages.actions.ts';
import { readOwnMessages } from './own-messages.ts';

export function supportRoutes(app: Server, deps: AccountsDeps): void {
  implement(app, accountsApi, {
    'GET /users/me/support-messages': (request) =>
      readOwnMessages(deps.db, userOf(request).user_id, request.query),
    'POST /contact': async (request) => {
      await writeAsVisitor(deps, request.body, senderOf(request).ip);
      return { detail: 'Message Sent!' };
    },
  });
  implement(
    app,
    accountsApi,
    {
      'POST /support/contact': async (request) => {
        await writeToSupport(deps, userOf(request), request.body);
        return {
          detail: "Support message sent successfully! We'll get back to you within 24 hours.",
        };
      },
    },
    { preValidation: bodyOrQuery },
  );
}
