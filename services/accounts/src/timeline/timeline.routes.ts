import { accountsApi } from '@daylift/contracts/accounts.api';
import { actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import { adminOf, userOf } from '@daylift/server/identity';
import { implement } from '@daylift/server/implement';
import type { FastifyRequest } from 'fastify';
import type { AccountsDeps } from '../deps.ts';
import { seesContacts } from '../users/user-views.ts';
import type { User } from '../users/users.table.ts';
import { composeTimeline } from './compose-timeline.ts';
import { findDayFacts } from './day-facts.ts';
import type { Reader } from './entries.ts';
import { explainDay, explainOwnDay } from './explain-day.ts';
import { getSubscriber, readSubscription, recordView } from './read-subscriber.ts';
import { viewSubscriber } from './subscriber-view.ts';

const readerOf = (request: FastifyRequest, user: User): Reader => ({
  timezone: user.timezone,
  hidesContacts: !seesContacts(adminOf(request).role),
});

export function timelineRoutes(app: Server, deps: AccountsDeps): void {
  implement(app, accountsApi, {
    'GET /users/me/days/:date': async (request) => {
      const user = await getSubscriber(deps.db, userOf(request).user_id);
      const reader = { timezone: user.timezone, hidesContacts: false };
      return explainOwnDay(await findDayFacts(deps, user, reader, request.params.date));
    },
    'GET /admin/users/:id': async (request) => {
      const user = await getSubscriber(deps.db, request.params.id);
      await recordView(deps, user.id, actingAdmin(request));
      return viewSubscriber(deps, user, adminOf(request).role);
    },
    'GET /admin/users/:id/subscription': (request) => readSubscription(deps, request.params.id),
    'GET /admin/users/:id/timeline': async (request) => {
      const user = await getSubscriber(deps.db, request.params.id);
      return composeTimeline(deps, user, readerOf(request, user), request.query);
    },
    'GET /admin/users/:id/days/:date': async (request) => {
      const { id, date } = request.params;
      const user = await getSubscriber(deps.db, id);
      return explainDay(await findDayFacts(deps, user, readerOf(request, user), date));
    },
  });
}
