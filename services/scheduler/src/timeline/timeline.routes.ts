import { ErrorBody } from '@daylift/contracts/error';
import { IdParams } from '@daylift/contracts/fields';
import {
  DayParams,
  DaySpan,
  Schedule,
  SchedulePart,
  TimelinePartQuery,
} from '@daylift/contracts/timeline-parts.http';
import type { Server } from '@daylift/server/create-server';
import { requireService } from '@daylift/server/identity';
import type { SchedulerDeps } from '../deps.ts';
import { readDayPart, readSchedule, readTimelinePart } from './read-timeline.ts';

const refusals = { 400: ErrorBody, 401: ErrorBody, 403: ErrorBody };

/** The plan of one subscriber, for the page that operators read of them. */
export function timelineRoutes(app: Server, deps: SchedulerDeps): void {
  app.addHook('onRequest', requireService);
  app.get(
    '/internal/timeline/:id',
    {
      schema: {
        params: IdParams,
        querystring: TimelinePartQuery,
        response: { 200: SchedulePart, ...refusals },
      },
    },
    ({ params, query }) => readTimelinePart(deps.db, params.id, query, deps.clock.now()),
  );
  app.get(
    '/internal/days/:id/:date',
    {
      schema: {
        params: DayParams,
        querystring: DaySpan,
        response: { 200: SchedulePart, ...refusals },
      },
    },
    ({ params }) => readDayPart(deps.db, params.id, params.date),
  );
  app.get(
    '/internal/schedule/:id',
    { schema: { params: IdParams, response: { 200: Schedule, ...refusals } } },
    ({ params }) => readSchedule(deps, params.id),
  );
}
