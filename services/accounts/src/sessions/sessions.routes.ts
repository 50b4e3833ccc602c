import {
  AdminLoginRequest,
  AdminLoginResponse,
  LoginRequest,
  LoginResponse,
  SessionQuery,
  SessionState,
} from '@daylift/contracts/accounts.http';
import { ErrorBody } from '@daylift/contracts/error';
import { actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import {
  adminOf,
  requireAdmin,
  requireService,
  requireUser,
  userOf,
} from '@daylift/server/identity';
import { senderOf } from '@daylift/server/sender';
import { Type } from 'typebox';
import type { AccountsDeps } from '../deps.ts';
import { logInAdmin } from './log-in-admin.ts';
import { logInUser, logOut, logOutAdmin, sessionState } from './sessions.actions.ts';

const refusals = {
  400: ErrorBody,
  401: ErrorBody,
  403: ErrorBody,
  429: ErrorBody,
  503: ErrorBody,
};

export function loginRoutes(app: Server, deps: AccountsDeps): void {
  app.post(
    '/users/login',
    { schema: { body: LoginRequest, response: { 200: LoginResponse, ...refusals } } },
    async (request) => ({
      ...(await logInUser(deps, request.body, senderOf(request).ip)),
      token_type: 'bearer' as const,
    }),
  );

  app.post(
    '/admin/login',
    { schema: { body: AdminLoginRequest, response: { 200: AdminLoginResponse, ...refusals } } },
    async (request) => {
      const context = { ip: senderOf(request).ip, request_id: request.id };
      const { admin, token } = await logInAdmin(deps, request.body, context);
      return { token, username: admin.username, role: admin.role };
    },
  );
}

const leaving = { schema: { response: { 204: Type.Null(), 401: ErrorBody, 403: ErrorBody } } };

export function adminLogoutRoutes(app: Server, deps: AccountsDeps): void {
  app.addHook('onRequest', requireAdmin('viewer'));

  app.post('/admin/logout', leaving, async (request, reply) => {
    await logOutAdmin(deps, adminOf(request).token_id, actingAdmin(request));
    return reply.code(204).send(null);
  });
}

export function logoutRoutes(app: Server, deps: AccountsDeps): void {
  app.addHook('onRequest', requireUser);

  app.post('/users/logout', leaving, async (request, reply) => {
    await logOut(deps, userOf(request));
    return reply.code(204).send(null);
  });
}

/** The gateway asks on every call with a token; its answer is kept for less than a second. */
export function sessionRoutes(app: Server, deps: AccountsDeps): void {
  app.addHook('onRequest', requireService);

  app.get(
    '/internal/sessions',
    {
      schema: {
        querystring: SessionQuery,
        response: { 200: SessionState, 400: ErrorBody, 401: ErrorBody, 403: ErrorBody },
      },
    },
    async (request) => sessionState(deps, request.query),
  );
}
