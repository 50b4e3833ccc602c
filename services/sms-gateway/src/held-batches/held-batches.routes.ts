import { smsGatewayApi } from '@daylift/contracts/sms-gateway.api';
import { publishAdminAction } from '@daylift/events/admin-actions';
import { type ActingAdmin, actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import { cancelBatch, resumeBatch } from '../batches/batches.repository.ts';
import type { SmsDeps } from '../deps.ts';
import { BatchNotStopped } from '../errors.ts';

const decisions = {
  'batch.resumed': resumeBatch,
  'batch.canceled': cancelBatch,
};

export function heldBatchRoutes(app: Server, { db, clock }: SmsDeps): void {
  const decide = (admin: ActingAdmin, action: keyof typeof decisions, id: string): Promise<void> =>
    db.transaction().execute(async (trx) => {
      const now = clock.now();
      if (!(await decisions[action](trx, id, now))) throw new BatchNotStopped();
      await publishAdminAction(trx, 'sms', admin, { action, target: id }, now);
    });
  implement(app, smsGatewayApi, {
    'POST /admin/sms-batches/:id/resume': async (request) => {
      await decide(actingAdmin(request), 'batch.resumed', request.params.id);
      return { detail: 'The rest of the batch is being sent.' };
    },
    'POST /admin/sms-batches/:id/cancel': async (request) => {
      await decide(actingAdmin(request), 'batch.canceled', request.params.id);
      return { detail: 'The rest of the batch is canceled.' };
    },
  });
}
