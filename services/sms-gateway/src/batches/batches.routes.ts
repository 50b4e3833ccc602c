import { ErrorBody } from '@daylift/contracts/error';
import { BatchQuery, SmsBatchList } from '@daylift/contracts/sms.http';
import type { Server } from '@daylift/server/create-server';
import { requireAdmin } from '@daylift/server/identity';
import type { SmsDeps } from '../deps.ts';
import { findBatches } from './batches.repository.ts';

export async function registerBatches(app: Server, { db }: SmsDeps): Promise<void> {
  app.addHook('onRequest', requireAdmin('viewer'));
  app.get(
    '/admin/sms-batches',
    {
      schema: {
        querystring: BatchQuery,
        response: { 200: SmsBatchList, 400: ErrorBody, 401: ErrorBody, 403: ErrorBody },
      },
    },
    (request) => findBatches(db, request.query.limit),
  );
}
