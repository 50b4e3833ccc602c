import { schedulerApi } from '@daylift/contracts/scheduler.api';
import { publishAdminAction } from '@daylift/events/admin-actions';
import { registerParked } from '@daylift/events/parked/parked.routes';
import { parkedEvents } from '@daylift/events/parked/parked-events';
import type { Server } from '@daylift/server/create-server';
import { type AppSettings, createServiceServer } from '@daylift/server/implement';
import { consumers } from './consumers.ts';
import type { SchedulerDeps } from './deps.ts';
import { measureOverdue } from './dispatches/due-metrics.ts';
import { exportRoutes } from './export/export.routes.ts';
import { loadRoutes } from './load/load.routes.ts';
import { missedRoutes } from './missed/missed.routes.ts';
import { nextTextRoutes } from './next-text/next-text.routes.ts';
import { rehearsalRoutes } from './rehearsal/rehearsal.routes.ts';
import { runRoutes } from './runs/runs.routes.ts';
import { staffSendRoutes } from './staff-sends/staff-sends.routes.ts';
import { timelineRoutes } from './timeline/timeline.routes.ts';

export async function buildApp(deps: SchedulerDeps, settings: AppSettings): Promise<Server> {
  const app = await createServiceServer(schedulerApi, settings);
  measureOverdue(deps);
  nextTextRoutes(app, deps);
  runRoutes(app, deps);
  loadRoutes(app, deps);
  missedRoutes(app, deps);
  rehearsalRoutes(app, deps);
  staffSendRoutes(app, deps);
  exportRoutes(app, deps);
  timelineRoutes(app, deps);
  registerParked(app, 'scheduler', {
    ...deps,
    sources: [parkedEvents(consumers(deps))],
    record: (trx, by, deed, now) => publishAdminAction(trx, 'scheduler', by, deed, now),
  });
  return app;
}
