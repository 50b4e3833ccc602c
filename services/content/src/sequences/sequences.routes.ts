import { contentApi } from '@daylift/contracts/content.api';
import { actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import type { ContentDeps } from '../deps.ts';
import { updateSequenceText } from './sequences.actions.ts';
import { listSequenceTexts } from './sequences.repository.ts';

export function sequenceRoutes(app: Server, deps: ContentDeps): void {
  implement(app, contentApi, {
    'GET /admin/sequence-texts': () => listSequenceTexts(deps.db),
    'PUT /admin/sequence-texts/:id': (request) =>
      updateSequenceText(deps, request.params.id, request.body, actingAdmin(request)),
  });
}
