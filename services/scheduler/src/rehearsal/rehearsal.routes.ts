import { ErrorBody } from '@daylift/contracts/error';
import {
  Rehearsal,
  RehearsalQuery,
  RehearsedSkips,
  RehearsedSkipsQuery,
} from '@daylift/contracts/rehearsal.http';
import type { Server } from '@daylift/server/create-server';
import { adminOf, requireAdmin } from '@daylift/server/identity';
import type { SchedulerDeps } from '../deps.ts';
import { readRehearsal, readRehearsedSkips } from './read-rehearsal.ts';

const refusals = { 400: ErrorBody, 401: ErrorBody, 403: ErrorBody, 503: ErrorBody };

export function rehearsalRoutes(app: Server, deps: SchedulerDeps): void {
  app.addHook('onRequest', requireAdmin('viewer'));
  app.get(
    '/admin/rehearsal',
    { schema: { querystring: RehearsalQuery, response: { 200: Rehearsal, ...refusals } } },
    (request) => readRehearsal(deps, request.query.hours),
  );
  app.get(
    '/admin/rehearsal/skipped',
    {
      schema: { querystring: RehearsedSkipsQuery, response: { 200: RehearsedSkips, ...refusals } },
    },
    (request) => readRehearsedSkips(deps, request.query, adminOf(request).role),
  );
}
