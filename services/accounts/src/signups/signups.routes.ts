import { SignupRequest, SignupResponse } from '@daylift/contracts/accounts.http';
import { ErrorBody } from '@daylift/contracts/error';
import type { Server } from '@daylift/server/create-server';
import { senderOf } from '@daylift/server/sender';
import type { AccountsDeps } from '../deps.ts';
import { deliveryTimeOf } from '../users/user-views.ts';
import { refuseBlankFields } from './signup-input.ts';
import { signUp } from './signups.actions.ts';

export function signupRoutes(app: Server, deps: AccountsDeps): void {
  app.post(
    '/subscriptions',
    {
      schema: {
        body: SignupRequest,
        response: { 201: SignupResponse, 400: ErrorBody, 409: ErrorBody, 503: ErrorBody },
      },
      attachValidation: true,
    },
    async (request, reply) => {
      refuseBlankFields(request.body);
      if (request.validationError) throw request.validationError;
      const user = await signUp(deps, request.body, senderOf(request));
      reply.code(201);
      return {
        ...user,
        email: user.email ?? '',
        phone: user.phone ?? '',
        delivery_time: deliveryTimeOf(user),
        delivery_frequency: user.frequency,
        sms_consent: user.consent === 'granted',
      };
    },
  );
}
