import { smsGatewayApi } from '@daylift/contracts/sms-gateway.api';
import { publishAdminAction } from '@daylift/events/admin-actions';
import { actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import { cancelBatch, resumeBatch } from '../batches/batches.repository.ts';
import type { SmsDeps } from '../deps.ts';
import { BatchNotStopped } from '../errors.ts';

export function heldBatchRoutes(app: Server, { db, clock }: SmsDeps): void {
  implement(app, smsGatewayApi, {
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
    'POST /admin/sms-batches/:id/cancel': async (request) => {
      const { id } = request.params;
      const now = clock.now();
      await db.transaction().execute(async (trx) => {
        if (!(await cancelBatch(trx, id, now))) throw new BatchNotStopped();
        const adminAction = { action: 'batch.canceled', target: id };
        await publishAdminAction(trx, 'sms', actingAdmin(request), adminAction, now);
      });
      return { detail: 'The rest of the batch is canceled.' };
    },
  });
}
