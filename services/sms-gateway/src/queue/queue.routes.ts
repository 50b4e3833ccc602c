import { ErrorBody } from '@daylift/contracts/error';
import { QueueFigures, QueueRun } from '@daylift/contracts/sms.http';
import { actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import { requireAdmin, requireService } from '@daylift/server/identity';
import type { SmsDeps } from '../deps.ts';
import { processQueue } from './process-queue.ts';
import { countQueue } from './queue.repository.ts';

const errors = { 401: ErrorBody, 403: ErrorBody };

export async function registerQueueForOperators(app: Server, deps: SmsDeps): Promise<void> {
  app.addHook('onRequest', requireAdmin('operator'));
  app.post(
    '/admin/scheduler/process-queue',
    { schema: { response: { 200: QueueRun, ...errors, 409: ErrorBody } } },
    (request) => processQueue(deps, actingAdmin(request)),
  );
}

export async function registerQueueForServices(app: Server, deps: SmsDeps): Promise<void> {
  app.addHook('onRequest', requireService);
  app.get(
    '/internal/queue',
    { schema: { response: { 200: QueueFigures, ...errors } } },
    async () => {
      const { due, held } = await countQueue(deps.db, deps.clock.now());
      return { pending: due, processing: held };
    },
  );
}
