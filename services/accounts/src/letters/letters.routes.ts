import { ContactRequest, Done, SupportRequest } from '@daylift/contracts/accounts.http';
import { ErrorBody } from '@daylift/contracts/error';
import { bodyOrQuery } from '@daylift/server/body-or-query';
import type { Server } from '@daylift/server/create-server';
import { requireUser, userOf } from '@daylift/server/identity';
import { senderOf } from '@daylift/server/sender';
import { Type } from 'typebox';
import type { AccountsDeps } from '../deps.ts';
import { takeEmptyBody } from '../users/empty-body.ts';
import { writeAsVisitor, writeToSupport } from './letters.actions.ts';

export function supportRoutes(app: Server, deps: AccountsDeps): void {
  app.addHook('onRequest', requireUser);
  takeEmptyBody(app);

  app.post(
    '/support/contact',
    {
      schema: {
        querystring: Type.Partial(SupportRequest),
        body: SupportRequest,
        response: { 202: Done, 400: ErrorBody, 401: ErrorBody, 403: ErrorBody, 429: ErrorBody },
      },
      preValidation: bodyOrQuery,
    },
    async (request, reply) => {
      await writeToSupport(deps, userOf(request), request.body);
      reply.code(202);
      return {
        detail: "Support message sent successfully! We'll get back to you within 24 hours.",
      };
    },
  );
}

export function contactRoutes(app: Server, deps: AccountsDeps): void {
  app.post(
    '/contact',
    {
      schema: {
        body: ContactRequest,
        response: { 202: Done, 400: ErrorBody, 429: ErrorBody },
      },
    },
    async (request, reply) => {
      await writeAsVisitor(deps, request.body, senderOf(request).ip);
      reply.code(202);
      return { detail: 'Message Sent!' };
    },
  );
}
