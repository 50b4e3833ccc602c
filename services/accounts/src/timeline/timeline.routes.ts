import { ErrorBody } from '@daylift/contracts/error';
import { IdParams } from '@daylift/contracts/fields';
import {
  AdminSubscriber,
  AdminSubscription,
  DayAnswer,
  Timeline,
  TimelineQuery,
} from '@daylift/contracts/timeline.http';
import { DayParams } from '@daylift/contracts/timeline-parts.http';
import { actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import { NotFound, Unavailable } from '@daylift/server/error';
import { adminOf, requireAdmin } from '@daylift/server/identity';
import type { FastifyRequest } from 'fastify';
import { recordAudit } from '../admins/audit.ts';
import type { AccountsDeps } from '../deps.ts';
import { seesContacts } from '../users/user-views.ts';
import { findUser } from '../users/users.repository.ts';
import type { User } from '../users/users.table.ts';
import { answerDay } from './answer-day.ts';
import { composeTimeline } from './compose-timeline.ts';
import { findDayFacts } from './day-facts.ts';
import type { Reader } from './entries.ts';
import { askParts } from './parts.ts';
import { viewSubscriber } from './subscriber-view.ts';
import { isNewView } from './timeline.repository.ts';

const refusals = { 400: ErrorBody, 401: ErrorBody, 403: ErrorBody, 404: ErrorBody };

/** The page of one subscriber, as operators read it. */
export function timelineRoutes(app: Server, deps: AccountsDeps): void {
  app.addHook('onRequest', requireAdmin('viewer'));

  app.get(
    '/admin/users/:id',
    { schema: { params: IdParams, response: { 200: AdminSubscriber, ...refusals } } },
    async (request) => {
      const user = await requireUserRow(deps, request.params.id);
      await recordView(deps, request, user);
      return viewSubscriber(deps, user, adminOf(request).role);
    },
  );

  app.get(
    '/admin/users/:id/subscription',
    {
      schema: {
        params: IdParams,
        response: { 200: AdminSubscription, 503: ErrorBody, ...refusals },
      },
    },
    async ({ params }) => {
      const user = await requireUserRow(deps, params.id);
      const parts = askParts(deps);
      const path = `/internal/subscriptions/${user.id}`;
      const subscription = await parts.ask<AdminSubscription>('billing', path);
      if (subscription === null)
        throw new Unavailable('Plan and payments are unavailable right now. Please try again.');
      return subscription;
    },
  );

  app.get(
    '/admin/users/:id/timeline',
    {
      schema: {
        params: IdParams,
        querystring: TimelineQuery,
        response: { 200: Timeline, ...refusals },
      },
    },
    async (request) => {
      const user = await requireUserRow(deps, request.params.id);
      return composeTimeline(deps, user, readerOf(request, user), request.query);
    },
  );

  app.get(
    '/admin/users/:id/days/:date',
    { schema: { params: DayParams, response: { 200: DayAnswer, ...refusals } } },
    async (request) => {
      const user = await requireUserRow(deps, request.params.id);
      return answerDay(
        await findDayFacts(deps, user, readerOf(request, user), request.params.date),
      );
    },
  );
}

async function requireUserRow(deps: AccountsDeps, id: string): Promise<User> {
  const user = await findUser(deps.db, id);
  if (user === undefined) throw new NotFound('Subscriber not found.');
  return user;
}

const readerOf = (request: FastifyRequest, user: User): Reader => ({
  timezone: user.timezone,
  hidesContacts: !seesContacts(adminOf(request).role),
});

/** Who looked at whom stands in the audit log, once an hour. */
async function recordView(deps: AccountsDeps, request: FastifyRequest, user: User): Promise<void> {
  const { admin_id, username, ip, request_id } = actingAdmin(request);
  const now = deps.clock.now();
  await deps.db.transaction().execute(async (trx) => {
    if (!(await isNewView(trx, { user_id: user.id, admin_id }, now))) return;
    const actor = { admin_id, username };
    await recordAudit(trx, now, { actor, action: 'user.viewed', target: user.id, ip, request_id });
  });
}
