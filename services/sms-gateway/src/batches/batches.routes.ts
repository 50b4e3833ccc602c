import { smsGatewayApi } from '@daylift/contracts/sms-gateway.api';
import { publishAdminAction } from '@daylift/events/admin-actions';
import { actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import type { SmsDeps } from '../deps.ts';
import { BatchNotStopped } from '../errors.ts';
import { findBatches, resumeBatch } from './batches.repository.ts';

export function batchRoutes(app: Server, { db, clock }: SmsDeps): void {
  implement(app, smsGatewayApi, {
    'GET /admin/sms-batches': (request) => findBatches(db, request.query.limit, clock.now()),
    'POST /admin/sms-batches/:id/resume': async (request) => {
      const { id } = request.params;
      const now = clock.now();
      await db.transaction().execute(async (trx) => {
        if (!(await resumeBatch(trx, id, now))) throw new BatchNotStopped();
        const adminAction = { action: 'batch.resumed', target: id };
        await publishAdminAction(trx, 'sms', actingAdmin(request), adminAction, now);
      });
      return { detail: 'The rest of the batch is being sent.' };
    },
  });
}
