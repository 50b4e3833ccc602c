import { ErrorBody } from '@daylift/contracts/error';
import { MissedQuery, MissedTexts } from '@daylift/contracts/missed.http';
import type { Server } from '@daylift/server/create-server';
import { adminOf, requireAdmin } from '@daylift/server/identity';
import type { SchedulerDeps } from '../deps.ts';
import { readMissed } from './read-missed.ts';

const refusals = { 400: ErrorBody, 401: ErrorBody, 403: ErrorBody, 503: ErrorBody };

export function missedRoutes(app: Server, deps: SchedulerDeps): void {
  app.addHook('onRequest', requireAdmin('viewer'));
  app.get(
    '/admin/missed',
    { schema: { querystring: MissedQuery, response: { 200: MissedTexts, ...refusals } } },
    (request) => readMissed(deps, request.query, adminOf(request).role),
  );
}
