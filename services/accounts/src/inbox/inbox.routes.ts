import { accountsApi } from '@daylift/contracts/accounts.api';
import { actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import { adminOf } from '@daylift/server/identity';
import { implement } from '@daylift/server/implement';
import type { FastifyRequest } from 'fastify';
import type { AccountsDeps } from '../deps.ts';
import { seesContacts } from '../users/user-views.ts';
import { countUsers } from '../users/users.repository.ts';
import {
  answerConversation,
  assignConversation,
  listAssignees,
  setConversationState,
} from './inbox.actions.ts';
import { countOpen } from './inbox.repository.ts';
import { readConversation, readInbox } from './inbox.views.ts';

const masks = (request: FastifyRequest): boolean => !seesContacts(adminOf(request).role);

export function inboxRoutes(app: Server, deps: AccountsDeps): void {
  implement(app, accountsApi, {
    'GET /admin/inbox': (request) => readInbox(deps.db, request.query, masks(request)),
    'GET /admin/inbox/assignees': () => listAssignees(deps.db),
    'PUT /admin/inbox/:id/assignee': async (request) => {
      const { id } = request.params;
      await assignConversation(deps, id, request.body.assignee_id, actingAdmin(request));
      return readConversation(deps, id, masks(request));
    },
    'GET /admin/inbox/:id': (request) => readConversation(deps, request.params.id, masks(request)),
    'GET /internal/live': async () => {
      const [users, inbox_open] = await Promise.all([countUsers(deps.db), countOpen(deps.db)]);
      return { users, inbox_open };
    },
    'POST /admin/inbox/:id/answer': async (request) => {
      const { id } = request.params;
      await answerConversation(deps, id, request.body, actingAdmin(request));
      return readConversation(deps, id, masks(request));
    },
    'POST /admin/inbox/:id/close': async (request) => {
      const { id } = request.params;
      await setConversationState(deps, id, 'closed', actingAdmin(request), request.body);
      return readConversation(deps, id, masks(request));
    },
    'POST /admin/inbox/:id/reopen': async (request) => {
      const { id } = request.params;
      await setConversationState(deps, id, 'open', actingAdmin(request));
      return readConversation(deps, id, masks(request));
    },
  });
}
