import { schedulerApi } from '@daylift/contracts/scheduler.api';
import { actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import type { SchedulerDeps } from '../deps.ts';
import { getMessage, getTodaysMessage, sendByStaff } from './manual-sends.actions.ts';
import { previewManualSend, readAudience } from './preview.ts';

export function manualSendRoutes(app: Server, deps: SchedulerDeps): void {
  implement(app, schedulerApi, {
    'GET /admin/audience': () => readAudience(deps),
    'GET /admin/scheduled-messages/:id/send-preview': async (request) =>
      previewManualSend(deps, await getMessage(deps.db, request.params.id)),
    'GET /admin/send-todays-message/preview': async () =>
      previewManualSend(deps, await getTodaysMessage(deps)),
    'POST /admin/scheduled-messages/:id/send-now': async (request) => {
      const message = await getMessage(deps.db, request.params.id);
      const hold = request.body.hold_quiet_hours ?? false;
      return sendByStaff(deps, message, hold, actingAdmin(request));
    },
    'POST /admin/send-todays-message': async (request) => {
      const { hold_quiet_hours: hold = false, scheduled_message_id } = request.body;
      const message = await getTodaysMessage(deps, scheduled_message_id);
      return sendByStaff(deps, message, hold, actingAdmin(request));
    },
  });
}
