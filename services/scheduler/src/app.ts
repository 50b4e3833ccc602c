import { schedulerApi } from '@daylift/contracts/scheduler.api';
import { publishAdminAction } from '@daylift/events/admin-actions';
import { registerFailed } from '@daylift/events/failed/failed.routes';
import { failedEvents } from '@daylift/events/failed/failed-events';
import type { Server } from '@daylift/server/create-server';
import { type AppSettings, createServiceServer } from '@daylift/server/implement';
import { consumers } from './consumers.ts';
import type { SchedulerDeps } from './deps.ts';
import { measureOverdue } from './dispatches/due-metrics.ts';
import { exportRoutes } from './export/export.routes.ts';
import { forecastRoutes } from './forecast/forecast.routes.ts';
import { measureForecast } from './forecast/measure-forecast.ts';
import { heldTextRoutes } from './held-texts/held-texts.routes.ts';
import { libraryRunwayRoutes } from './library-runway/library-runway.routes.ts';
import { measureRunway } from './library-runway/measure-runway.ts';
import { loadRoutes } from './load/load.routes.ts';
import { manualSendRoutes } from './manual-sends/manual-sends.routes.ts';
import { nextTextRoutes } from './next-text/next-text.routes.ts';
import { runRoutes } from './runs/runs.routes.ts';
import { timelineRoutes } from './timeline/timeline.routes.ts';
import { undeliveredRoutes } from './undelivered/undelivered.routes.ts';

export async function buildApp(deps: SchedulerDeps, settings: AppSettings): Promise<Server> {
  const app = createServiceServer(schedulerApi, settings);
  measureOverdue(deps);
  measureRunway(deps);
  measureForecast(deps);
  nextTextRoutes(app, deps);
  runRoutes(app, deps);
  loadRoutes(app, deps);
  undeliveredRoutes(app, deps);
  forecastRoutes(app, deps);
  libraryRunwayRoutes(app, deps);
  manualSendRoutes(app, deps);
  heldTextRoutes(app, deps);
  exportRoutes(app, deps);
  timelineRoutes(app, deps);
  registerFailed(app, 'scheduler', {
    ...deps,
    sources: [failedEvents(consumers(deps))],
    record: (trx, by, adminAction, now) =>
      publishAdminAction(trx, 'scheduler', by, adminAction, now),
  });
  return app;
}
