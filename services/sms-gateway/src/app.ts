import { smsGatewayApi } from '@daylift/contracts/sms-gateway.api';
import { publishAdminAction } from '@daylift/events/admin-actions';
import { registerFailed } from '@daylift/events/failed/failed.routes';
import { failedEvents } from '@daylift/events/failed/failed-events';
import { failedMails } from '@daylift/mail/failed-mails';
import type { Server } from '@daylift/server/create-server';
import { type AppSettings, createServiceServer } from '@daylift/server/implement';
import { alertSettingsRoutes } from './alerts/alert-settings.routes.ts';
import { batchRoutes } from './batches/batches.routes.ts';
import { measureBlockList } from './block-list/measure-block-list.ts';
import { consumers } from './consumers.ts';
import type { SmsDatabase } from './database.ts';
import { deliveryLogRoutes } from './delivery-log/delivery-log.routes.ts';
import { logExportRoutes } from './delivery-log/log-export.routes.ts';
import type { SmsDeps } from './deps.ts';
import { exportRoutes } from './export/export.routes.ts';
import { freezeRoutes } from './freeze/freeze.routes.ts';
import { heldBatchRoutes } from './held-batches/held-batches.routes.ts';
import { historyRoutes } from './history/history.routes.ts';
import { inboundRoutes } from './inbound/inbound.routes.ts';
import { liftPreviewRoutes } from './lift-preview/lift-preview.routes.ts';
import { liveRoutes } from './live/live.routes.ts';
import { probeRoutes } from './probes/probes.routes.ts';
import { queueRoutes } from './queue/queue.routes.ts';
import { measureQueue } from './queue/queue-metrics.ts';
import { webhookRoutes } from './receipts/webhooks.routes.ts';
import { recipientRoutes } from './recipient-changes/recipient-changes.routes.ts';
import { senderRoutes } from './senders/senders.routes.ts';
import { testingModeRoutes } from './settings/testing-mode.routes.ts';
import { staffOptOutRoutes } from './staff-opt-outs/staff-opt-outs.routes.ts';
import { statisticsRoutes } from './statistics/statistics.routes.ts';
import { testTextRoutes } from './test-texts/test-texts.routes.ts';
import { failedTexts } from './texts/failed-texts.repository.ts';
import { timelineRoutes } from './timeline/timeline.routes.ts';
import { undeliveredRoutes } from './undelivered/undelivered.routes.ts';

export async function buildApp(deps: SmsDeps, settings: AppSettings): Promise<Server> {
  const app = createServiceServer(smsGatewayApi, settings);
  measureQueue(deps);
  measureBlockList(deps);
  await webhookRoutes(app, deps);
  historyRoutes(app, deps);
  batchRoutes(app, deps);
  heldBatchRoutes(app, deps);
  statisticsRoutes(app, deps);
  queueRoutes(app, deps);
  liveRoutes(app, deps);
  freezeRoutes(app, deps);
  liftPreviewRoutes(app, deps);
  probeRoutes(app, deps);
  undeliveredRoutes(app, deps);
  staffOptOutRoutes(app, deps);
  testTextRoutes(app, deps);
  exportRoutes(app, deps);
  inboundRoutes(app, deps);
  timelineRoutes(app, deps);
  recipientRoutes(app, deps);
  registerFailed(app, 'sms-gateway', {
    ...deps,
    sources: [failedEvents(consumers(deps)), failedTexts, failedMails<SmsDatabase>()],
    record: (trx, by, adminAction, now) => publishAdminAction(trx, 'sms', by, adminAction, now),
  });
  deliveryLogRoutes(app, deps);
  logExportRoutes(app, deps);
  testingModeRoutes(app, deps);
  senderRoutes(app, deps);
  alertSettingsRoutes(app, deps);
  return app;
}
