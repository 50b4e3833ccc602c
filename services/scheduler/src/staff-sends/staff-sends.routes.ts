import { ErrorBody } from '@daylift/contracts/error';
import { IdParams } from '@daylift/contracts/fields';
import {
  Audience,
  StaffSendPreview,
  StaffSendRequest,
  StaffSendResult,
} from '@daylift/contracts/scheduler.http';
import { actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import { requireAdmin } from '@daylift/server/identity';
import type { SchedulerDeps } from '../deps.ts';
import { takeNoBodyAsEmpty } from '../empty-body.ts';
import { previewStaffSend, readAudience } from './preview.ts';
import { getMessage, getTodaysMessage, sendByStaff } from './staff-sends.actions.ts';

const refusals = { 400: ErrorBody, 401: ErrorBody, 403: ErrorBody, 404: ErrorBody };
const previewed = { 200: StaffSendPreview, 409: ErrorBody, 503: ErrorBody, ...refusals };
const sent = { 200: StaffSendResult, 409: ErrorBody, ...refusals };

/** What sending by hand would do, and to how many, every admin may know. */
export function staffSendPreviewRoutes(app: Server, deps: SchedulerDeps): void {
  app.addHook('onRequest', requireAdmin('viewer'));
  app.get(
    '/admin/audience',
    { schema: { response: { 200: Audience, 401: ErrorBody, 403: ErrorBody, 503: ErrorBody } } },
    () => readAudience(deps),
  );
  app.get(
    '/admin/scheduled-messages/:id/send-preview',
    { schema: { params: IdParams, response: previewed } },
    async (request) => previewStaffSend(deps, await getMessage(deps.db, request.params.id)),
  );
  app.get('/admin/send-todays-message/preview', { schema: { response: previewed } }, async () =>
    previewStaffSend(deps, await getTodaysMessage(deps)),
  );
}

/** Doing it is an operator's. */
export function staffSendRoutes(app: Server, deps: SchedulerDeps): void {
  app.addHook('onRequest', requireAdmin('operator'));
  app.addHook('preValidation', takeNoBodyAsEmpty);
  app.post(
    '/admin/scheduled-messages/:id/send-now',
    { schema: { params: IdParams, body: StaffSendRequest, response: sent } },
    async (request) => {
      const message = await getMessage(deps.db, request.params.id);
      const hold = request.body.hold_quiet_hours ?? false;
      return sendByStaff(deps, message, hold, actingAdmin(request));
    },
  );
  app.post(
    '/admin/send-todays-message',
    { schema: { body: StaffSendRequest, response: sent } },
    async (request) => {
      const message = await getTodaysMessage(deps);
      const hold = request.body.hold_quiet_hours ?? false;
      return sendByStaff(deps, message, hold, actingAdmin(request));
    },
  );
}
