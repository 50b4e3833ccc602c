import { smsGatewayApi } from '@daylift/contracts/sms-gateway.api';
import type { AlertSettings } from '@daylift/contracts/sms-operations.http';
import { actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import type { SmsDeps } from '../deps.ts';
import { changeAlertSettings } from './alert-settings.actions.ts';
import { type AlertSettingsRow, findAlertSettings } from './alert-settings.repository.ts';

const view = ({ email, threshold_percent, enabled }: AlertSettingsRow): AlertSettings => ({
  alert_email: email,
  failure_threshold_percent: threshold_percent,
  enabled,
});

export function alertSettingsRoutes(app: Server, deps: SmsDeps): void {
  implement(app, smsGatewayApi, {
    'GET /admin/settings/alert-email': async () => view(await findAlertSettings(deps.db)),
    'POST /admin/settings/alert-email': async (request) => {
      const { email, failure_threshold, enabled } = request.body;
      const wanted = { email, threshold_percent: failure_threshold, enabled };
      return view(await changeAlertSettings(deps, wanted, actingAdmin(request)));
    },
  });
}
