import { billingApi } from '@daylift/contracts/billing.api';
import { timelineKinds } from '@daylift/contracts/timeline.http';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import type { BillingDeps } from '../deps.ts';
import { readStanding, readSubscription, readTimelinePart } from './read-timeline.ts';

/** More than anyone has on one day. */
const dayLimit = 200;

export function timelineRoutes(app: Server, deps: BillingDeps): void {
  implement(app, billingApi, {
    'GET /internal/timeline/:id': ({ params, query: { until, limit, kinds } }) => {
      const latest = until === undefined ? deps.clock.now() : new Date(until);
      return readTimelinePart(deps, params.id, kinds.split(','), { until: latest, limit });
    },
    'GET /internal/days/:id/:date': ({ params, query }) =>
      readTimelinePart(deps, params.id, [...timelineKinds], {
        from: new Date(query.from),
        until: new Date(query.until),
        limit: dayLimit,
      }),
    'GET /internal/standing/:id': ({ params, query }) =>
      readStanding(deps, params.id, new Date(query.at)),
    'GET /internal/subscriptions/:id': ({ params }) => readSubscription(deps, params.id),
  });
}
