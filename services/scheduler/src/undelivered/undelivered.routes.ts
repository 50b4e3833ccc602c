import { schedulerApi } from '@daylift/contracts/scheduler.api';
import type { Server } from '@daylift/server/create-server';
import { adminOf } from '@daylift/server/identity';
import { implement } from '@daylift/server/implement';
import type { SchedulerDeps } from '../deps.ts';
import { readUndelivered } from './read-undelivered.ts';

export function undeliveredRoutes(app: Server, deps: SchedulerDeps): void {
  implement(app, schedulerApi, {
    'GET /admin/missed': (request) => readUndelivered(deps, request.query, adminOf(request).role),
  });
}
