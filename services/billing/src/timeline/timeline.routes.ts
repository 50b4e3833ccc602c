import { ErrorBody } from '@daylift/contracts/error';
import { IdParams } from '@daylift/contracts/fields';
import { AdminSubscription, timelineKinds } from '@daylift/contracts/timeline.http';
import {
  BillingPart,
  DayParams,
  DaySpan,
  Standing,
  StandingQuery,
  TimelinePartQuery,
} from '@daylift/contracts/timeline-parts.http';
import type { Server } from '@daylift/server/create-server';
import { requireService } from '@daylift/server/identity';
import type { BillingDeps } from '../deps.ts';
import { readStanding, readSubscription, readTimelinePart } from './read-timeline.ts';

const refusals = { 400: ErrorBody, 401: ErrorBody, 403: ErrorBody };
/** Far more than anybody has on one day. */
const allOfADay = 200;

/** Payments and plans of one subscriber, for the page that operators read of them. */
export async function timelineRoutes(app: Server, deps: BillingDeps): Promise<void> {
  app.addHook('onRequest', requireService);
  app.get(
    '/internal/timeline/:id',
    {
      schema: {
        params: IdParams,
        querystring: TimelinePartQuery,
        response: { 200: BillingPart, ...refusals },
      },
    },
    ({ params, query: { until, limit, kinds } }) => {
      const latest = until === undefined ? deps.clock.now() : new Date(until);
      return readTimelinePart(deps, params.id, kinds.split(','), { until: latest, limit });
    },
  );
  app.get(
    '/internal/days/:id/:date',
    {
      schema: {
        params: DayParams,
        querystring: DaySpan,
        response: { 200: BillingPart, ...refusals },
      },
    },
    ({ params, query }) =>
      readTimelinePart(deps, params.id, [...timelineKinds], {
        from: new Date(query.from),
        until: new Date(query.until),
        limit: allOfADay,
      }),
  );
  app.get(
    '/internal/standing/:id',
    {
      schema: {
        params: IdParams,
        querystring: StandingQuery,
        response: { 200: Standing, ...refusals },
      },
    },
    ({ params, query }) => readStanding(deps, params.id, new Date(query.at)),
  );
  app.get(
    '/internal/subscriptions/:id',
    {
      schema: {
        params: IdParams,
        response: { 200: AdminSubscription, 404: ErrorBody, ...refusals },
      },
    },
    ({ params }) => readSubscription(deps, params.id),
  );
}
