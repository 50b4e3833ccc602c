import { ErrorBody } from '@daylift/contracts/error';
import { Undelivered, UndeliveredQuery } from '@daylift/contracts/missed.http';
import type { Server } from '@daylift/server/create-server';
import { requireService } from '@daylift/server/identity';
import type { SmsDeps } from '../deps.ts';
import { findUndelivered } from './undelivered.repository.ts';

/** For the scheduler's answer to who got nothing. */
export async function registerUndelivered(app: Server, { db }: SmsDeps): Promise<void> {
  app.addHook('onRequest', requireService);
  app.get(
    '/internal/undelivered',
    {
      schema: {
        querystring: UndeliveredQuery,
        response: { 200: Undelivered, 400: ErrorBody, 401: ErrorBody, 403: ErrorBody },
      },
    },
    (request) => findUndelivered(db, request.query),
  );
}
