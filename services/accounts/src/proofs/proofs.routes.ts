import {
  ConfirmEmailRequest,
  ConfirmPhoneRequest,
  Done,
  RevertChangeRequest,
} from '@daylift/contracts/accounts.http';
import { ErrorBody } from '@daylift/contracts/error';
import type { Server } from '@daylift/server/create-server';
import { requireUser, userOf } from '@daylift/server/identity';
import { senderOf } from '@daylift/server/sender';
import type { AccountsDeps } from '../deps.ts';
import { NoFields, takeEmptyBody } from '../users/empty-body.ts';
import { clientHashOf } from '../users/identity-hash.ts';
import { answerConfirmation, resendConfirmation } from './proofs.actions.ts';
import { confirmPhone, requestContactCode, requestPhoneCode } from './prove-phone.ts';
import { revertChange } from './revert-change.ts';

/** Public routes that a link in an email opens. */
export function linkRoutes(app: Server, deps: AccountsDeps): void {
  app.post(
    '/users/revert-change',
    { schema: { body: RevertChangeRequest, response: { 200: Done, 400: ErrorBody } } },
    async (request) => {
      await revertChange(deps, request.body.token);
      return { detail: 'The change has been undone, and all devices are signed out.' };
    },
  );

  app.post(
    '/users/confirm-email',
    {
      schema: {
        body: ConfirmEmailRequest,
        response: { 200: Done, 400: ErrorBody, 422: ErrorBody, 429: ErrorBody, 503: ErrorBody },
      },
    },
    async (request) => {
      await answerConfirmation(deps, request.body);
      return {
        detail: request.body.decline
          ? "Thanks. We've removed your address from that account."
          : 'Your email address is confirmed.',
      };
    },
  );
}

const refusals = {
  400: ErrorBody,
  401: ErrorBody,
  403: ErrorBody,
  409: ErrorBody,
  429: ErrorBody,
};

export function ownProofRoutes(app: Server, deps: AccountsDeps): void {
  app.addHook('onRequest', requireUser);
  takeEmptyBody(app);

  app.post(
    '/users/me/confirm-email',
    {
      schema: {
        body: NoFields,
        response: { 202: Done, ...refusals },
      },
    },
    async (request, reply) => {
      const { ip } = senderOf(request);
      await resendConfirmation(deps, userOf(request), clientHashOf(deps, ip));
      reply.code(202);
      return { detail: "We've sent you the link. It works for 7 days." };
    },
  );

  app.post(
    '/users/me/contact-code',
    { schema: { body: NoFields, response: { 202: Done, ...refusals } } },
    async (request, reply) => {
      await requestContactCode(deps, userOf(request));
      reply.code(202);
      return { detail: 'A code is on its way. It can take a minute, and works for 10 minutes.' };
    },
  );

  app.post(
    '/users/me/confirm-phone',
    { schema: { body: ConfirmPhoneRequest, response: { 200: Done, 202: Done, ...refusals } } },
    async (request, reply) => {
      const { code } = request.body;
      if (code === undefined) {
        await requestPhoneCode(deps, userOf(request));
        reply.code(202);
        return { detail: 'A code is on its way. It can take a minute, and works for 10 minutes.' };
      }
      await confirmPhone(deps, userOf(request), code);
      return { detail: 'Your phone number is confirmed.' };
    },
  );
}
