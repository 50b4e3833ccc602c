import { schedulerApi } from '@daylift/contracts/scheduler.api';
import type { Server } from '@daylift/server/create-server';
import { adminOf } from '@daylift/server/identity';
import { implement } from '@daylift/server/implement';
import type { SchedulerDeps } from '../deps.ts';
import { readRehearsal, readRehearsedSkips } from './read-rehearsal.ts';

export function rehearsalRoutes(app: Server, deps: SchedulerDeps): void {
  implement(app, schedulerApi, {
    'GET /admin/rehearsal': (request) => readRehearsal(deps, request.query.hours),
    'GET /admin/rehearsal/skipped': (request) =>
      readRehearsedSkips(deps, request.query, adminOf(request).role),
  });
}
