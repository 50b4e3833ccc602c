import type { AdminRole } from '@daylift/contracts/fields';
import { smsGatewayApi } from '@daylift/contracts/sms-gateway.api';
import type { AlertSettings } from '@daylift/contracts/sms-operations.http';
import { actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import { adminOf } from '@daylift/server/identity';
import { implement } from '@daylift/server/implement';
import { emailAsSeenBy } from '@daylift/server/mask-contact';
import type { SmsDeps } from '../deps.ts';
import { changeAlertSettings } from './alert-settings.actions.ts';
import { type AlertSettingsRow, findAlertSettings } from './alert-settings.repository.ts';

const view = (
  { email, threshold_percent, enabled }: AlertSettingsRow,
  role: AdminRole,
): AlertSettings => ({
  alert_email: emailAsSeenBy(role, email),
  failure_threshold_percent: threshold_percent,
  enabled,
});

export function alertSettingsRoutes(app: Server, deps: SmsDeps): void {
  implement(app, smsGatewayApi, {
    'GET /admin/settings/alert-email': async (request) =>
      view(await findAlertSettings(deps.db), adminOf(request).role),
    'POST /admin/settings/alert-email': async (request) => {
      const { email, failure_threshold, enabled } = request.body;
      const wanted = { email, threshold_percent: failure_threshold, enabled };
      const settings = await changeAlertSettings(deps, wanted, actingAdmin(request));
      return view(settings, adminOf(request).role);
    },
  });
}
