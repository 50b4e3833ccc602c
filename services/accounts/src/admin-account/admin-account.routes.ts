import { accountsApi } from '@daylift/contracts/accounts.api';
import { actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import type { SessionDeps } from '../deps.ts';
import {
  beginTotpSetup,
  changeOwnPassword,
  confirmTotpSetup,
  disableTotp,
  readSelf,
} from './admin-account.actions.ts';

export function adminAccountRoutes(app: Server, deps: SessionDeps): void {
  implement(app, accountsApi, {
    'GET /admin/me': (request) => readSelf(deps, actingAdmin(request)),
    'POST /admin/me/password': async (request) => {
      const { admin, token } = await changeOwnPassword(deps, request.body, actingAdmin(request));
      return { token, username: admin.username, role: admin.role };
    },
    'POST /admin/me/totp': (request) =>
      beginTotpSetup(deps, request.body.password, actingAdmin(request)),
    'POST /admin/me/totp/confirm': (request) =>
      confirmTotpSetup(deps, request.body.code, actingAdmin(request)),
    'POST /admin/me/totp/disable': async (request) => {
      await disableTotp(deps, request.body, actingAdmin(request));
      return { detail: 'Two-step sign-in is off.' };
    },
  });
}
