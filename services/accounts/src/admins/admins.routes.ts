import { accountsApi } from '@daylift/contracts/accounts.api';
import { actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import { senderOf } from '@daylift/server/sender';
import type { AccountsDeps } from '../deps.ts';
import { accountOf, changeAdmin, inviteAdmin, inviteAgain, removeTotp } from './admins.actions.ts';
import { listAdmins } from './admins.repository.ts';
import { acceptInvitation } from './invitations.ts';

export function adminRoutes(app: Server, deps: AccountsDeps): void {
  implement(app, accountsApi, {
    'GET /admin/admins': async () => (await listAdmins(deps.db)).map(accountOf),
    'POST /admin/admins': (request) => inviteAdmin(deps, request.body, actingAdmin(request)),
    'PUT /admin/admins/:id': (request) =>
      changeAdmin(deps, request.params.id, request.body, actingAdmin(request)),
    'POST /admin/admins/:id/invitation': (request) =>
      inviteAgain(deps, request.params.id, actingAdmin(request)),
    'DELETE /admin/admins/:id/totp': (request) =>
      removeTotp(deps, request.params.id, actingAdmin(request)),
    'POST /admin/invitation': async (request) => {
      const context = { ip: senderOf(request).ip, request_id: request.id };
      const { username } = await acceptInvitation(deps, request.body, context);
      return { username };
    },
  });
}
