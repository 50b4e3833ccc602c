import { Me, SignupFacts, UpdateMeRequest, UserFigures } from '@daylift/contracts/accounts.http';
import { ErrorBody } from '@daylift/contracts/error';
import { IdParams } from '@daylift/contracts/fields';
import { AccountsLive } from '@daylift/contracts/live.http';
import { People, PeopleQuery } from '@daylift/contracts/missed.http';
import type { Server } from '@daylift/server/create-server';
import { NotFound } from '@daylift/server/error';
import { requireService, requireUser, userOf } from '@daylift/server/identity';
import { senderOf } from '@daylift/server/sender';
import type { AccountsDeps } from '../deps.ts';
import { countOpen } from '../letters/inbox.repository.ts';
import { clientHashOf } from './identity-hash.ts';
import { updateSettings } from './update-settings.ts';
import { signupFactsOf } from './user-events.ts';
import { meOf } from './user-views.ts';
import { signedIn } from './users.actions.ts';
import { countUsers, findPeople, findUser } from './users.repository.ts';

const denied = { 401: ErrorBody, 403: ErrorBody };

/** What subscribers see and change of themselves. */
export function meRoutes(app: Server, deps: AccountsDeps): void {
  app.addHook('onRequest', requireUser);

  app.get('/users/me', { schema: { response: { 200: Me, ...denied } } }, async (request) => {
    const session = userOf(request);
    const user = signedIn(await findUser(deps.db, session.user_id), session);
    return meOf(user, deps.product.publicUrl);
  });

  app.put(
    '/users/me',
    {
      schema: {
        body: UpdateMeRequest,
        response: {
          200: Me,
          400: ErrorBody,
          409: ErrorBody,
          422: ErrorBody,
          429: ErrorBody,
          503: ErrorBody,
          ...denied,
        },
      },
    },
    async (request) => {
      const clientHash = clientHashOf(deps, senderOf(request).ip);
      const user = await updateSettings(deps, userOf(request), request.body, clientHash);
      return meOf(user, deps.product.publicUrl);
    },
  );
}

/** What our other services ask. */
export function internalUserRoutes(app: Server, deps: AccountsDeps): void {
  app.addHook('onRequest', requireService);

  app.get(
    '/internal/analytics/users',
    { schema: { response: { 200: UserFigures, ...denied } } },
    async () => countUsers(deps.db),
  );

  app.get(
    '/internal/live',
    { schema: { response: { 200: AccountsLive, ...denied } } },
    async () => {
      const [users, inbox_open] = await Promise.all([countUsers(deps.db), countOpen(deps.db)]);
      return { users, inbox_open };
    },
  );

  app.get(
    '/internal/people',
    {
      schema: {
        querystring: PeopleQuery,
        response: { 200: People, 400: ErrorBody, ...denied },
      },
    },
    (request) => findPeople(deps.db, request.query.ids.split(',')),
  );

  app.get(
    '/internal/signups/:id',
    {
      schema: {
        params: IdParams,
        response: { 200: SignupFacts, 400: ErrorBody, 404: ErrorBody, ...denied },
      },
    },
    async (request) => {
      const user = await findUser(deps.db, request.params.id);
      if (user === undefined) throw new NotFound('Signup not found.');
      return signupFactsOf(user, deps.identityHash);
    },
  );
}
