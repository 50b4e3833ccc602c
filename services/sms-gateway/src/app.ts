import { smsGatewayApi } from '@daylift/contracts/sms-gateway.api';
import { publishAdminAction } from '@daylift/events/admin-actions';
import { registerParked } from '@daylift/events/parked/parked.routes';
import { parkedEvents } from '@daylift/events/parked/parked-events';
import { parkedMails } from '@daylift/mail/parked-mails';
import { createServer, type Server } from '@daylift/server/create-server';
import type { ReadinessChecks } from '@daylift/server/health';
import { registerIdentity } from '@daylift/server/identity';
import { expectEndpoints } from '@daylift/server/implement';
import {
  registerAlertSettings,
  registerAlertSettingsChange,
} from './alerts/alert-settings.routes.ts';
import { registerBatches } from './batches/batches.routes.ts';
import type { SmsDatabase } from './database.ts';
import { registerDeliveryLog } from './delivery-log/delivery-log.routes.ts';
import { registerLogExport } from './delivery-log/log-export.routes.ts';
import type { SmsDeps } from './deps.ts';
import { registerExport } from './export/export.routes.ts';
import { registerFreeze, registerFreezeForOperators } from './freeze/freeze.routes.ts';
import { registerHistory } from './history/history.routes.ts';
import { registerInbox } from './inbound/inbound.routes.ts';
import { registerLive } from './live/live.routes.ts';
import { registerSendPause } from './provider/send-pause.routes.ts';
import { registerQueueForOperators, registerQueueForServices } from './queue/queue.routes.ts';
import { measureQueue } from './queue/queue-metrics.ts';
import { registerWebhooks } from './receipts/webhooks.routes.ts';
import { registerTestingMode, registerTestingModeSwitch } from './settings/testing-mode.routes.ts';
import {
  registerStatisticsForAdmins,
  registerStatisticsForServices,
} from './statistics/statistics.routes.ts';
import { subscriptions } from './subscriptions.ts';
import { parkedTexts } from './texts/parked-texts.ts';
import { registerTimeline } from './timeline/timeline.routes.ts';
import { registerUndelivered } from './undelivered/undelivered.routes.ts';

export async function buildApp(deps: SmsDeps, readiness: ReadinessChecks): Promise<Server> {
  const { LOG_LEVEL, IDENTITY_PUBLIC_KEYS } = deps.settings;
  const app = await createServer({
    name: 'sms-gateway',
    logLevel: LOG_LEVEL,
    readiness,
  });
  registerIdentity(app, IDENTITY_PUBLIC_KEYS, 'sms-gateway');
  expectEndpoints(app, smsGatewayApi);
  measureQueue(deps);
  await app.register((scope) => registerWebhooks(scope, deps));
  await app.register((scope) => registerHistory(scope, deps));
  await app.register((scope) => registerBatches(scope, deps));
  await app.register((scope) => registerStatisticsForAdmins(scope, deps));
  await app.register((scope) => registerStatisticsForServices(scope, deps));
  await app.register((scope) => registerQueueForOperators(scope, deps));
  await app.register((scope) => registerQueueForServices(scope, deps));
  await app.register((scope) => registerLive(scope, deps));
  await app.register((scope) => registerFreeze(scope, deps));
  await app.register((scope) => registerFreezeForOperators(scope, deps));
  await app.register((scope) => registerSendPause(scope, deps));
  await app.register((scope) => registerUndelivered(scope, deps));
  await app.register((scope) => registerExport(scope, deps));
  await app.register((scope) => registerInbox(scope, deps));
  await app.register((scope) => registerTimeline(scope, deps));
  registerParked(app, 'sms-gateway', {
    ...deps,
    sources: [parkedEvents(subscriptions(deps)), parkedTexts, parkedMails<SmsDatabase>()],
    record: (trx, by, deed, now) => publishAdminAction(trx, 'sms', by, deed, now),
  });
  await app.register((scope) => registerDeliveryLog(scope, deps));
  await app.register((scope) => registerLogExport(scope, deps));
  await app.register((scope) => registerTestingMode(scope, deps));
  await app.register((scope) => registerTestingModeSwitch(scope, deps));
  await app.register((scope) => registerAlertSettings(scope, deps));
  await app.register((scope) => registerAlertSettingsChange(scope, deps));
  return app;
}
