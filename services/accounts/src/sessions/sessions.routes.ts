import { accountsApi } from '@daylift/contracts/accounts.api';
import { actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import { adminOf, userOf } from '@daylift/server/identity';
import { implement } from '@daylift/server/implement';
import { senderOf } from '@daylift/server/sender';
import type { SessionDeps } from '../deps.ts';
import { logInAdmin } from './log-in-admin.ts';
import { logInUser, logOut, logOutAdmin, sessionState } from './sessions.actions.ts';

export function sessionRoutes(app: Server, deps: SessionDeps): void {
  implement(app, accountsApi, {
    'POST /users/login': async (request) => ({
      ...(await logInUser(deps, request.body, senderOf(request).ip)),
      token_type: 'bearer' as const,
    }),
    'POST /admin/login': async (request) => {
      const context = { ip: senderOf(request).ip, request_id: request.id };
      const { admin, token } = await logInAdmin(deps, request.body, context);
      return { token, username: admin.username, role: admin.role };
    },
    'POST /users/logout': (request) => logOut(deps, userOf(request)),
    'POST /admin/logout': (request) =>
      logOutAdmin(deps, adminOf(request).token_id, actingAdmin(request)),
    // The gateway asks for every call with a token and caches the response for less than a second.
    'GET /internal/sessions': (request) => sessionState(deps, request.query),
  });
}
