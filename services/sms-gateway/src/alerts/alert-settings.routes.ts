import { ErrorBody } from '@daylift/contracts/error';
import { AlertSettings, AlertSettingsRequest } from '@daylift/contracts/sms-operations.http';
import { publishAdminAction } from '@daylift/events/admin-actions';
import { type ActingAdmin, actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import { requireAdmin } from '@daylift/server/identity';
import type { SmsDeps } from '../deps.ts';
import { AlertAddressMissing } from '../errors.ts';
import {
  type AlertSettingsRow,
  findAlertSettings,
  lockAlertSettings,
  storeAlertSettings,
} from './alert-settings.repository.ts';

const path = '/admin/settings/alert-email';
const refusals = { 401: ErrorBody, 403: ErrorBody };

const view = ({ email, threshold_percent, enabled }: AlertSettingsRow): AlertSettings => ({
  alert_email: email,
  failure_threshold_percent: threshold_percent,
  enabled,
});

export async function registerAlertSettings(app: Server, { db }: SmsDeps): Promise<void> {
  app.addHook('onRequest', requireAdmin('viewer'));
  app.get(path, { schema: { response: { 200: AlertSettings, ...refusals } } }, async () =>
    view(await findAlertSettings(db)),
  );
}

export async function registerAlertSettingsChange(app: Server, deps: SmsDeps): Promise<void> {
  app.addHook('onRequest', requireAdmin('operator'));
  app.post(
    path,
    {
      schema: {
        body: AlertSettingsRequest,
        response: { 200: AlertSettings, 400: ErrorBody, ...refusals },
      },
    },
    async (request) => {
      const { email, failure_threshold, enabled } = request.body;
      if (enabled && email === '') throw new AlertAddressMissing();
      const wanted = { email, threshold_percent: failure_threshold, enabled };
      return view(await changeAlertSettings(deps, wanted, actingAdmin(request)));
    },
  );
}

/** The same settings once more change nothing and are written down nowhere. */
function changeAlertSettings(
  { db, clock }: SmsDeps,
  wanted: AlertSettingsRow,
  by: ActingAdmin,
): Promise<AlertSettingsRow> {
  return db.transaction().execute(async (trx) => {
    const before = await lockAlertSettings(trx);
    const details = {
      enabled: { from: before.enabled, to: wanted.enabled },
      threshold_percent: { from: before.threshold_percent, to: wanted.threshold_percent },
      address_changed: before.email !== wanted.email,
    };
    const isSame = JSON.stringify(view(before)) === JSON.stringify(view(wanted));
    if (isSame) return before;
    await storeAlertSettings(trx, wanted);
    const deed = { action: 'alert_settings.changed', target: null, details };
    await publishAdminAction(trx, 'sms', by, deed, clock.now());
    return wanted;
  });
}
