import { schedulerApi } from '@daylift/contracts/scheduler.api';
import type { Server } from '@daylift/server/create-server';
import { adminOf } from '@daylift/server/identity';
import { implement } from '@daylift/server/implement';
import type { SchedulerDeps } from '../deps.ts';
import { readForecast, readForecastSkips } from './read-forecast.ts';

export function forecastRoutes(app: Server, deps: SchedulerDeps): void {
  implement(app, schedulerApi, {
    'GET /admin/rehearsal': (request) => readForecast(deps, request.query.hours),
    'GET /admin/rehearsal/skipped': (request) =>
      readForecastSkips(deps, request.query, adminOf(request).role),
  });
}
