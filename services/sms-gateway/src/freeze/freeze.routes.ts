import { smsGatewayApi } from '@daylift/contracts/sms-gateway.api';
import { actingAdmin } from '@daylift/server/acting-admin';
import { bodyOrQuery } from '@daylift/server/body-or-query';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import type { SmsDeps } from '../deps.ts';
import { freezeSending, liftFreeze, readFreeze } from './freeze.actions.ts';

export function freezeRoutes(app: Server, deps: SmsDeps): void {
  implement(app, smsGatewayApi, {
    'GET /admin/freeze': () => readFreeze(deps),
    'POST /admin/freeze/lift': (request) => liftFreeze(deps, request.body, actingAdmin(request)),
  });
  implement(
    app,
    smsGatewayApi,
    {
      'POST /admin/freeze': (request) =>
        freezeSending(deps, request.body.reason?.trim() || null, actingAdmin(request)),
    },
    // The body is optional: in a hurry, the reason is left out.
    { preValidation: bodyOrQuery },
  );
}
