import { ErrorBody } from '@daylift/contracts/error';
import { LoadQuery, SchedulerLoad } from '@daylift/contracts/load.http';
import type { Server } from '@daylift/server/create-server';
import { requireAdmin } from '@daylift/server/identity';
import type { SchedulerDeps } from '../deps.ts';
import { readLoad } from './read-load.ts';

const refusals = { 400: ErrorBody, 401: ErrorBody, 403: ErrorBody };

/** How busy the coming hours will be. */
export function loadRoutes(app: Server, deps: SchedulerDeps): void {
  app.addHook('onRequest', requireAdmin('viewer'));
  app.get(
    '/admin/scheduler/load',
    { schema: { querystring: LoadQuery, response: { 200: SchedulerLoad, ...refusals } } },
    (request) => readLoad(deps, request.query.hours),
  );
}
