import { schedulerApi } from '@daylift/contracts/scheduler.api';
import type { Server } from '@daylift/server/create-server';
import { userOf } from '@daylift/server/identity';
import { implement } from '@daylift/server/implement';
import type { SchedulerDeps } from '../deps.ts';
import { previewNextText, readNextText } from './read-next-text.ts';

export function nextTextRoutes(app: Server, deps: SchedulerDeps): void {
  implement(app, schedulerApi, {
    'GET /users/me/next-text': (request) => readNextText(deps, userOf(request).user_id),
    'POST /users/me/next-text/preview': (request) =>
      previewNextText(deps, userOf(request).user_id, request.body),
  });
}
