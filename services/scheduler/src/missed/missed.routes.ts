import { schedulerApi } from '@daylift/contracts/scheduler.api';
import type { Server } from '@daylift/server/create-server';
import { adminOf } from '@daylift/server/identity';
import { implement } from '@daylift/server/implement';
import type { SchedulerDeps } from '../deps.ts';
import { readMissed } from './read-missed.ts';

export function missedRoutes(app: Server, deps: SchedulerDeps): void {
  implement(app, schedulerApi, {
    'GET /admin/missed': (request) => readMissed(deps, request.query, adminOf(request).role),
  });
}
