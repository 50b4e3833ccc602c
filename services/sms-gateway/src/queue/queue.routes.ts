import { smsGatewayApi } from '@daylift/contracts/sms-gateway.api';
import { actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import type { SmsDeps } from '../deps.ts';
import { processQueue } from './process-queue.ts';
import { countQueue, findWaiting } from './queue.repository.ts';

export function queueRoutes(app: Server, deps: SmsDeps): void {
  implement(app, smsGatewayApi, {
    'POST /admin/scheduler/process-queue': (request) => processQueue(deps, actingAdmin(request)),
    'GET /internal/queue': async () => {
      const { due, held } = await countQueue(deps.db, deps.clock.now());
      return { pending: due, processing: held };
    },
    'GET /internal/waiting-texts': ({ query }) => findWaiting(deps.db, query.ids.split(',')),
  });
}
