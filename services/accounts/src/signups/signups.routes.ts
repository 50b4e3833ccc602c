import { accountsApi } from '@daylift/contracts/accounts.api';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import { senderOf } from '@daylift/server/sender';
import type { AccountsDeps } from '../deps.ts';
import { deliveryTimeOf } from '../users/user-views.ts';
import { rejectBlankFields } from './signup-input.ts';
import { signUp } from './signups.actions.ts';

export function signupRoutes(app: Server, deps: AccountsDeps): void {
  implement(
    app,
    accountsApi,
    {
      'POST /subscriptions': async (request) => {
        rejectBlankFields(request.body);
        if (request.validationError) throw request.validationError;
        const user = await signUp(deps, request.body, senderOf(request));
        return {
          ...user,
          email: user.email ?? '',
          phone: user.phone ?? '',
          delivery_time: deliveryTimeOf(user),
          delivery_frequency: user.frequency,
          sms_consent: user.consent === 'granted',
        };
      },
    },
    { attachValidation: true },
  );
}
