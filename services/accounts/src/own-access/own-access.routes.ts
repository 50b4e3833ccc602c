import { AdminLoginResponse, Done } from '@daylift/contracts/accounts.http';
import {
  AdminMe,
  ChangeAdminPasswordRequest,
  RecoveryCodes,
  TotpBeginRequest,
  TotpBegun,
  TotpConfirmRequest,
  TotpDisableRequest,
} from '@daylift/contracts/admins.http';
import { ErrorBody } from '@daylift/contracts/error';
import { actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import { requireAdmin } from '@daylift/server/identity';
import type { AccountsDeps } from '../deps.ts';
import { takeEmptyBody } from '../users/empty-body.ts';
import {
  beginTotpSetup,
  changeOwnPassword,
  confirmTotpSetup,
  disableTotp,
  readSelf,
} from './own-access.actions.ts';

const denied = { 401: ErrorBody, 403: ErrorBody };
const tried = { 400: ErrorBody, ...denied, 422: ErrorBody, 429: ErrorBody, 503: ErrorBody };

/** What every admin sees and changes of their own access. */
export function ownAccessRoutes(app: Server, deps: AccountsDeps): void {
  app.addHook('onRequest', requireAdmin('viewer'));
  takeEmptyBody(app);

  app.get('/admin/me', { schema: { response: { 200: AdminMe, ...denied } } }, (request) =>
    readSelf(deps, actingAdmin(request)),
  );

  app.post(
    '/admin/me/password',
    {
      schema: { body: ChangeAdminPasswordRequest, response: { 200: AdminLoginResponse, ...tried } },
    },
    async (request) => {
      const { admin, token } = await changeOwnPassword(deps, request.body, actingAdmin(request));
      return { token, username: admin.username, role: admin.role };
    },
  );

  app.post(
    '/admin/me/totp',
    {
      schema: { body: TotpBeginRequest, response: { 200: TotpBegun, ...tried, 409: ErrorBody } },
    },
    (request) => beginTotpSetup(deps, request.body.password, actingAdmin(request)),
  );

  app.post(
    '/admin/me/totp/confirm',
    {
      schema: {
        body: TotpConfirmRequest,
        response: { 200: RecoveryCodes, ...tried, 409: ErrorBody },
      },
    },
    (request) => confirmTotpSetup(deps, request.body.code, actingAdmin(request)),
  );

  app.post(
    '/admin/me/totp/disable',
    { schema: { body: TotpDisableRequest, response: { 200: Done, ...tried, 409: ErrorBody } } },
    async (request) => {
      await disableTotp(deps, request.body, actingAdmin(request));
      return { detail: 'Two-step sign-in is off.' };
    },
  );
}
