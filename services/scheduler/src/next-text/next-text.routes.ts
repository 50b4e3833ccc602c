import { ErrorBody } from '@daylift/contracts/error';
import { NextText, NextTextPreviewRequest } from '@daylift/contracts/scheduler.http';
import type { Server } from '@daylift/server/create-server';
import { requireUser, userOf } from '@daylift/server/identity';
import type { SchedulerDeps } from '../deps.ts';
import { previewNextText, readNextText } from './read-next-text.ts';

const refusals = { 401: ErrorBody, 403: ErrorBody };

/** A subscriber asks for their own next text. */
export function nextTextRoutes(app: Server, deps: SchedulerDeps): void {
  app.addHook('onRequest', requireUser);
  app.get(
    '/users/me/next-text',
    { schema: { response: { 200: NextText, ...refusals } } },
    (request) => readNextText(deps, userOf(request).user_id),
  );
  app.post(
    '/users/me/next-text/preview',
    {
      schema: {
        body: NextTextPreviewRequest,
        response: { 200: NextText, 400: ErrorBody, ...refusals },
      },
    },
    (request) => previewNextText(deps, userOf(request).user_id, request.body),
  );
}
