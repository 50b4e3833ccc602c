import { contentApi } from '@daylift/contracts/content.api';
import { actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import type { ContentDeps } from '../deps.ts';
import { importMessages } from './imports.actions.ts';

export function importRoutes(app: Server, deps: ContentDeps): void {
  implement(app, contentApi, {
    'POST /admin/scheduled-messages/import': (request) =>
      importMessages(deps, request.body, actingAdmin(request)),
  });
}
