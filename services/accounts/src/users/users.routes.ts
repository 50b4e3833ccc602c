import { accountsApi } from '@daylift/contracts/accounts.api';
import type { Server } from '@daylift/server/create-server';
import { NotFound } from '@daylift/server/error';
import { implement } from '@daylift/server/implement';
import type { AccountsDeps } from '../deps.ts';
import { signupFactsOf } from './user-events.ts';
import { countUsers, findPeople, findUser } from './users.repository.ts';

export function userRoutes(app: Server, { db, identityHash }: AccountsDeps): void {
  implement(app, accountsApi, {
    'GET /internal/analytics/users': () => countUsers(db),
    'GET /internal/people': (request) => findPeople(db, request.query.ids.split(',')),
    'GET /internal/signups/:id': async (request) => {
      const user = await findUser(db, request.params.id);
      if (user === undefined) throw new NotFound('Signup not found.');
      return signupFactsOf(user, identityHash);
    },
  });
}
