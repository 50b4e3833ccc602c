import { schedulerApi } from '@daylift/contracts/scheduler.api';
import { actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import type { SchedulerDeps } from '../deps.ts';
import { cancelHeldTexts } from './held-texts.actions.ts';
import { listHeld } from './held-texts.repository.ts';

export function heldTextRoutes(app: Server, deps: SchedulerDeps): void {
  implement(app, schedulerApi, {
    'GET /admin/held-texts': () => listHeld(deps.db, deps.clock.now()),
    'POST /admin/scheduled-messages/:id/cancel-held': (request) =>
      cancelHeldTexts(deps, request.params.id, actingAdmin(request)),
  });
}
