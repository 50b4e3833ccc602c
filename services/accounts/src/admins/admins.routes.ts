import {
  AcceptedInvitation,
  AcceptInvitationRequest,
  AdminAccount,
  AdminAccountList,
  AdminInvitation,
  ChangeAdminRequest,
  InviteAdminRequest,
} from '@daylift/contracts/admins.http';
import { ErrorBody } from '@daylift/contracts/error';
import { IdParams } from '@daylift/contracts/fields';
import { actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import { requireAdmin } from '@daylift/server/identity';
import { senderOf } from '@daylift/server/sender';
import type { AccountsDeps } from '../deps.ts';
import { takeEmptyBody } from '../users/empty-body.ts';
import { accountOf, changeAdmin, inviteAdmin, inviteAgain, removeTotp } from './admins.actions.ts';
import { listAdmins } from './admins.repository.ts';
import { acceptInvitation } from './invitations.ts';

const denied = { 401: ErrorBody, 403: ErrorBody };
const changed = { 400: ErrorBody, ...denied, 404: ErrorBody, 409: ErrorBody };

/** Who may come in, and as what, is an owner's to say. */
export function adminAccountRoutes(app: Server, deps: AccountsDeps): void {
  app.addHook('onRequest', requireAdmin('owner'));
  takeEmptyBody(app);

  app.get(
    '/admin/admins',
    { schema: { response: { 200: AdminAccountList, ...denied } } },
    async () => (await listAdmins(deps.db)).map(accountOf),
  );

  app.post(
    '/admin/admins',
    {
      schema: {
        body: InviteAdminRequest,
        response: { 201: AdminInvitation, 400: ErrorBody, ...denied, 409: ErrorBody },
      },
    },
    async (request, reply) => {
      reply.code(201);
      return inviteAdmin(deps, request.body, actingAdmin(request));
    },
  );

  app.put(
    '/admin/admins/:id',
    {
      schema: {
        params: IdParams,
        body: ChangeAdminRequest,
        response: { 200: AdminAccount, ...changed },
      },
    },
    (request) => changeAdmin(deps, request.params.id, request.body, actingAdmin(request)),
  );

  app.post(
    '/admin/admins/:id/invitation',
    { schema: { params: IdParams, response: { 200: AdminInvitation, ...changed } } },
    (request) => inviteAgain(deps, request.params.id, actingAdmin(request)),
  );

  app.delete(
    '/admin/admins/:id/totp',
    { schema: { params: IdParams, response: { 200: AdminAccount, ...changed } } },
    (request) => removeTotp(deps, request.params.id, actingAdmin(request)),
  );
}

/** For whoever holds the link of an invitation. */
export function invitationRoutes(app: Server, deps: AccountsDeps): void {
  app.post(
    '/admin/invitation',
    {
      schema: {
        body: AcceptInvitationRequest,
        response: { 200: AcceptedInvitation, 400: ErrorBody, 503: ErrorBody },
      },
    },
    async (request) => {
      const context = { ip: senderOf(request).ip, request_id: request.id };
      const { username } = await acceptInvitation(deps, request.body, context);
      return { username };
    },
  );
}
