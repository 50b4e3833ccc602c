import { publishAdminAction } from '@daylift/events/admin-actions';
import type { ActingAdmin } from '@daylift/server/acting-admin';
import type { SmsDeps } from '../deps.ts';
import { AlertAddressMissing } from '../errors.ts';
import {
  type AlertSettingsRow,
  lockAlertSettings,
  storeAlertSettings,
} from './alert-settings.repository.ts';

/** Stores the settings and records the change. Unchanged settings are not recorded. */
export function changeAlertSettings(
  { db, clock }: SmsDeps,
  wanted: AlertSettingsRow,
  by: ActingAdmin,
): Promise<AlertSettingsRow> {
  if (wanted.enabled && wanted.email === '') throw new AlertAddressMissing();
  return db.transaction().execute(async (trx) => {
    const before = await lockAlertSettings(trx);
    const details = {
      enabled: { from: before.enabled, to: wanted.enabled },
      threshold_percent: { from: before.threshold_percent, to: wanted.threshold_percent },
      address_changed: before.email !== wanted.email,
    };
    const isSame =
      !details.address_changed &&
      before.enabled === wanted.enabled &&
      before.threshold_percent === wanted.threshold_percent;
    if (isSame) return before;
    await storeAlertSettings(trx, wanted);
    const action = { action: 'alert_settings.changed', target: null, details };
    await publishAdminAction(trx, 'sms', by, action, clock.now());
    return wanted;
  });
}
