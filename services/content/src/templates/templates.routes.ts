import { contentApi } from '@daylift/contracts/content.api';
import { actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import type { ContentDeps } from '../deps.ts';
import { createTemplate, deleteTemplate, updateTemplate } from './templates.actions.ts';
import { listTemplates } from './templates.repository.ts';

export function templateRoutes(app: Server, deps: ContentDeps): void {
  implement(app, contentApi, {
    'GET /admin/templates': (request) => listTemplates(deps.db, request.query),
    'POST /admin/templates': (request) => createTemplate(deps, request.body, actingAdmin(request)),
    'PUT /admin/templates/:id': (request) =>
      updateTemplate(deps, request.params.id, request.body, actingAdmin(request)),
    'DELETE /admin/templates/:id': (request) =>
      deleteTemplate(deps, request.params.id, actingAdmin(request)),
  });
}
