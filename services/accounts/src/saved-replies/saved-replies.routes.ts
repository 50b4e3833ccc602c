import { accountsApi } from '@daylift/contracts/accounts.api';
import { actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import type { AccountsDeps } from '../deps.ts';
import { createSavedReply, removeSavedReply, updateSavedReply } from './saved-replies.actions.ts';
import { listSavedReplies } from './saved-replies.repository.ts';

export function savedReplyRoutes(app: Server, deps: AccountsDeps): void {
  implement(app, accountsApi, {
    'GET /admin/saved-replies': () => listSavedReplies(deps.db),
    'POST /admin/saved-replies': async (request) => {
      await createSavedReply(deps, request.body, actingAdmin(request));
      return listSavedReplies(deps.db);
    },
    'PUT /admin/saved-replies/:id': async (request) => {
      await updateSavedReply(deps, request.params.id, request.body, actingAdmin(request));
      return listSavedReplies(deps.db);
    },
    'DELETE /admin/saved-replies/:id': async (request) => {
      await removeSavedReply(deps, request.params.id, actingAdmin(request));
      return listSavedReplies(deps.db);
    },
  });
}
