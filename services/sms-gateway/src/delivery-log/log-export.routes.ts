import { smsGatewayApi } from '@daylift/contracts/sms-gateway.api';
import { localDateAt } from '@daylift/delivery/send-windows';
import { actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import type { SmsDeps } from '../deps.ts';
import { exportLog } from './log-export.ts';

export function logExportRoutes(app: Server, deps: SmsDeps): void {
  implement(app, smsGatewayApi, {
    'GET /admin/sms-logs/export': async (request, reply) => {
      const report = await exportLog(deps, request.query, actingAdmin(request));
      const name = `delivery-report-${localDateAt(deps.clock.now(), deps.operatorTimezone)}.csv`;
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(report);
    },
  });
}
