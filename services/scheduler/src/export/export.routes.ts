import { schedulerApi } from '@daylift/contracts/scheduler.api';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import type { SchedulerDeps } from '../deps.ts';
import { exportDispatches, exportSettings } from './export.repository.ts';

/** The scheduler's part of a subscriber's data export. */
export function exportRoutes(app: Server, { db }: SchedulerDeps): void {
  implement(app, schedulerApi, {
    'GET /internal/export/:id': async ({ params: { id } }) => {
      const settings = await exportSettings(db, id);
      return settings === undefined
        ? {}
        : { settings, planned_texts: await exportDispatches(db, id) };
    },
  });
}
