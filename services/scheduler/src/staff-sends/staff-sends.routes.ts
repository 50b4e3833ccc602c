import { ErrorBody } from '@daylift/contracts/error';
import { IdParams } from '@daylift/contracts/fields';
import {
  StaffSendPreview,
  StaffSendRequest,
  StaffSendResult,
} from '@daylift/contracts/scheduler.http';
import type { Server } from '@daylift/server/create-server';
import { requireAdmin } from '@daylift/server/identity';
import type { SchedulerDeps } from '../deps.ts';
import { takeNoBodyAsEmpty } from '../empty-body.ts';
import { previewStaffSend } from './preview.ts';
import { getMessage, getTodaysMessage, sendByStaff } from './staff-sends.actions.ts';

const refusals = { 400: ErrorBody, 401: ErrorBody, 403: ErrorBody, 404: ErrorBody };
const previewed = { 200: StaffSendPreview, 503: ErrorBody, ...refusals };
const sent = { 200: StaffSendResult, ...refusals };

/** Sending by hand, and what it would do, are an operator's. */
export function staffSendRoutes(app: Server, deps: SchedulerDeps): void {
  app.addHook('onRequest', requireAdmin('operator'));
  app.addHook('preValidation', takeNoBodyAsEmpty);
  app.get(
    '/admin/scheduled-messages/:id/send-preview',
    { schema: { params: IdParams, response: previewed } },
    async (request) => previewStaffSend(deps, await getMessage(deps.db, request.params.id)),
  );
  app.get('/admin/send-todays-message/preview', { schema: { response: previewed } }, async () =>
    previewStaffSend(deps, await getTodaysMessage(deps)),
  );
  app.post(
    '/admin/scheduled-messages/:id/send-now',
    { schema: { params: IdParams, body: StaffSendRequest, response: sent } },
    async (request) =>
      sendByStaff(
        deps,
        await getMessage(deps.db, request.params.id),
        request.body.hold_quiet_hours ?? false,
      ),
  );
  app.post(
    '/admin/send-todays-message',
    { schema: { body: StaffSendRequest, response: sent } },
    async (request) =>
      sendByStaff(deps, await getTodaysMessage(deps), request.body.hold_quiet_hours ?? false),
  );
}
