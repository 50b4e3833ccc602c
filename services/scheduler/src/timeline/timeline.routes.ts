import { schedulerApi } from '@daylift/contracts/scheduler.api';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import type { SchedulerDeps } from '../deps.ts';
import { readDayPart, readSchedule, readTimelinePart } from './read-timeline.ts';

export function timelineRoutes(app: Server, deps: SchedulerDeps): void {
  implement(app, schedulerApi, {
    'GET /internal/timeline/:id': ({ params, query }) =>
      readTimelinePart(deps.db, params.id, query, deps.clock.now()),
    'GET /internal/days/:id/:date': ({ params }) => readDayPart(deps.db, params.id, params.date),
    'GET /internal/schedule/:id': ({ params }) => readSchedule(deps, params.id),
  });
}
