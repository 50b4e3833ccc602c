import { schedulerApi } from '@daylift/contracts/scheduler.api';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import type { SchedulerDeps } from '../deps.ts';
import { findRunway } from './library-runway.repository.ts';

export function libraryRunwayRoutes(app: Server, { db }: SchedulerDeps): void {
  implement(app, schedulerApi, {
    'GET /admin/library/runway': async () => {
      const runway = await findRunway(db);
      return {
        computed_at: runway?.computed_at.toISOString() ?? null,
        categories: runway?.categories ?? [],
      };
    },
  });
}
