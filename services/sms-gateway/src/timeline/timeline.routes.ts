import { ErrorBody } from '@daylift/contracts/error';
import { IdParams } from '@daylift/contracts/fields';
import {
  DayParams,
  DaySpan,
  OptOut,
  TextsPart,
  TimelinePartQuery,
} from '@daylift/contracts/timeline-parts.http';
import type { Server } from '@daylift/server/create-server';
import { requireService } from '@daylift/server/identity';
import type { SmsDeps } from '../deps.ts';
import { exportOptOut, findPerson } from '../export/export.repository.ts';
import { readDayPart, readTimelinePart } from './read-timeline.ts';

const refusals = { 400: ErrorBody, 401: ErrorBody, 403: ErrorBody };

/** Texts and replies of one subscriber, for the page that operators read of them. */
export async function registerTimeline(app: Server, { db, clock }: SmsDeps): Promise<void> {
  app.addHook('onRequest', requireService);
  app.get(
    '/internal/timeline/:id',
    {
      schema: {
        params: IdParams,
        querystring: TimelinePartQuery,
        response: { 200: TextsPart, ...refusals },
      },
    },
    ({ params, query }) => readTimelinePart(db, params.id, query, clock.now()),
  );
  app.get(
    '/internal/days/:id/:date',
    {
      schema: {
        params: DayParams,
        querystring: DaySpan,
        response: { 200: TextsPart, ...refusals },
      },
    },
    ({ params: { id, date }, query }) =>
      readDayPart(db, id, { date, from: new Date(query.from), until: new Date(query.until) }),
  );
  app.get(
    '/internal/opt-out/:id',
    { schema: { params: IdParams, response: { 200: OptOut, ...refusals } } },
    async ({ params }) => {
      const person = await findPerson(db, params.id);
      const last = await exportOptOut(db, person?.number_hash ?? null);
      return {
        last: last === null ? null : { ...last, changed_at: last.changed_at.toISOString() },
      };
    },
  );
}
