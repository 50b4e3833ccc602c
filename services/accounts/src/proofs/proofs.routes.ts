import { accountsApi } from '@daylift/contracts/accounts.api';
import type { Server } from '@daylift/server/create-server';
import { userOf } from '@daylift/server/identity';
import { implement } from '@daylift/server/implement';
import { senderOf } from '@daylift/server/sender';
import type { AccountsDeps } from '../deps.ts';
import { clientHashOf } from '../users/identity-hash.ts';
import { answerConfirmation, resendConfirmation } from './proofs.actions.ts';
import { confirmPhone, requestContactCode, requestPhoneCode } from './prove-phone.ts';
import { revertChange } from './revert-change.ts';

const codeIsOnItsWay = {
  detail: 'A code is on its way. It can take a minute, and works for 10 minutes.',
};

export function proofRoutes(app: Server, deps: AccountsDeps): void {
  implement(app, accountsApi, {
    'POST /users/revert-change': async (request) => {
      await revertChange(deps, request.body.token);
      return { detail: 'The change has been undone, and all devices are signed out.' };
    },
    'POST /users/confirm-email': async (request) => {
      await answerConfirmation(deps, request.body);
      return {
        detail: request.body.decline
          ? "Thanks. We've removed your address from that account."
          : 'Your email address is confirmed.',
      };
    },
    'POST /users/me/confirm-email': async (request) => {
      await resendConfirmation(deps, userOf(request), clientHashOf(deps, senderOf(request).ip));
      return { detail: "We've sent you the link. It works for 7 days." };
    },
    'POST /users/me/contact-code': async (request) => {
      await requestContactCode(deps, userOf(request));
      return codeIsOnItsWay;
    },
    'POST /users/me/confirm-phone': async (request, reply) => {
      const { code } = request.body;
      if (code === undefined) {
        await requestPhoneCode(deps, userOf(request));
        reply.code(202);
        return codeIsOnItsWay;
      }
      await confirmPhone(deps, userOf(request), code);
      return { detail: 'Your phone number is confirmed.' };
    },
  });
}
