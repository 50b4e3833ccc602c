import {
  AdminLoginRequest,
  AdminLoginResponse,
  LoginRequest,
  LoginResponse,
  SessionQuery,
  SessionState,
} from '@daylift/contracts/accounts.http';
import { ErrorBody } from '@daylift/contracts/error';
import type { Server } from '@daylift/server/create-server';
import { requireService } from '@daylift/server/identity';
import type { AccountsDeps } from '../deps.ts';
import { senderOf } from './sender.ts';
import { logInAdmin, logInUser, sessionState } from './sessions.actions.ts';

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
      access_token: await logInUser(deps, request.body),
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
