import { ToggleDeliveryQuery, ToggleDeliveryResponse } from '@daylift/contracts/accounts.http';
import { ErrorBody } from '@daylift/contracts/error';
import type { Server } from '@daylift/server/create-server';
import { requireUser, userOf } from '@daylift/server/identity';
import type { AccountsDeps } from '../deps.ts';
import { NoFields, takeEmptyBody } from './empty-body.ts';
import { updateSettings } from './update-settings.ts';

/** The switch of the dashboard: the same setting as `delivery_enabled` of PUT /users/me, alone. */
export function toggleDeliveryRoutes(app: Server, deps: AccountsDeps): void {
  app.addHook('onRequest', requireUser);
  takeEmptyBody(app);

  app.post(
    '/users/me/toggle-delivery',
    {
      schema: {
        querystring: ToggleDeliveryQuery,
        body: NoFields,
        response: {
          200: ToggleDeliveryResponse,
          400: ErrorBody,
          401: ErrorBody,
          403: ErrorBody,
          409: ErrorBody,
        },
      },
    },
    async (request) =>
      updateSettings(deps, userOf(request), { delivery_enabled: request.query.enable }),
  );
}
