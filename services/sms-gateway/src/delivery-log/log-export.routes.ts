import { ErrorBody } from '@daylift/contracts/error';
import { LogExportQuery } from '@daylift/contracts/sms-operations.http';
import { publishAdminAction } from '@daylift/events/admin-actions';
import { actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import { requireAdmin } from '@daylift/server/identity';
import { Type } from 'typebox';
import type { SmsDeps } from '../deps.ts';
import { InvalidSpan } from '../errors.ts';
import { exportSpan, streamLog } from './log-export.ts';

const csv = { content: { 'text/csv': { schema: Type.String() } } };
const response = {
  200: csv,
  400: ErrorBody,
  401: ErrorBody,
  403: ErrorBody,
};

export async function registerLogExport(app: Server, { db, clock }: SmsDeps): Promise<void> {
  app.addHook('onRequest', requireAdmin('operator'));
  app.get(
    '/admin/sms-logs/export',
    { schema: { querystring: LogExportQuery, response } },
    async (request, reply) => {
      const now = clock.now();
      const span = exportSpan(request.query, now);
      if (span === null) throw new InvalidSpan();
      // Nothing else of the address: what was put there by mistake may be a secret, and the audit log keeps it.
      const { status, batch_id, user_id } = request.query;
      const filter = {
        ...span,
        ...(status && { status }),
        ...(batch_id && { batch_id }),
        ...(user_id && { user_id }),
      };
      const deed = { action: 'delivery_log.exported', target: null, details: filter };
      await db
        .transaction()
        .execute((trx) => publishAdminAction(trx, 'sms', actingAdmin(request), deed, now));
      const name = `delivery-report-${now.toISOString().slice(0, 10)}.csv`;
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(streamLog(db, filter) as never);
    },
  );
}
