import { accountsApi } from '@daylift/contracts/accounts.api';
import type { Server } from '@daylift/server/create-server';
import { NotFound } from '@daylift/server/error';
import { userOf } from '@daylift/server/identity';
import { implement } from '@daylift/server/implement';
import { senderOf } from '@daylift/server/sender';
import type { AccountsDeps } from '../deps.ts';
import { countOpen } from '../inbox/inbox.repository.ts';
import { clientHashOf } from './identity-hash.ts';
import { updateSettings } from './update-settings.ts';
import { signupFactsOf } from './user-events.ts';
import { meOf } from './user-views.ts';
import { signedIn } from './users.actions.ts';
import { countUsers, findPeople, findUser } from './users.repository.ts';

export function meRoutes(app: Server, deps: AccountsDeps): void {
  implement(app, accountsApi, {
    'GET /users/me': async (request) => {
      const session = userOf(request);
      const user = signedIn(await findUser(deps.db, session.user_id), session);
      return meOf(user, deps.product.publicUrl);
    },
    'PUT /users/me': async (request) => {
      const clientHash = clientHashOf(deps, senderOf(request).ip);
      const user = await updateSettings(deps, userOf(request), request.body, clientHash);
      return meOf(user, deps.product.publicUrl);
    },
    'POST /users/me/toggle-delivery': (request) =>
      updateSettings(deps, userOf(request), { delivery_enabled: request.query.enable }),
  });
}

export function internalUserRoutes(app: Server, { db, identityHash }: AccountsDeps): void {
  implement(app, accountsApi, {
    'GET /internal/analytics/users': () => countUsers(db),
    'GET /internal/live': async () => {
      const [users, inbox_open] = await Promise.all([countUsers(db), countOpen(db)]);
      return { users, inbox_open };
    },
    'GET /internal/people': (request) => findPeople(db, request.query.ids.split(',')),
    'GET /internal/signups/:id': async (request) => {
      const user = await findUser(db, request.params.id);
      if (user === undefined) throw new NotFound('Signup not found.');
      return signupFactsOf(user, identityHash);
    },
  });
}
