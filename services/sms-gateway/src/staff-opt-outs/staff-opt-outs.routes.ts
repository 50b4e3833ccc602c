import { smsGatewayApi } from '@daylift/contracts/sms-gateway.api';
import { actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import type { SmsDeps } from '../deps.ts';
import { optOutByStaff } from './staff-opt-outs.actions.ts';

export function staffOptOutRoutes(app: Server, deps: SmsDeps): void {
  implement(app, smsGatewayApi, {
    'POST /admin/users/:id/opt-out': async (request) => {
      const note = request.body.note.trim();
      await optOutByStaff(deps, request.params.id, note, actingAdmin(request));
      return { detail: 'Opted out.' };
    },
  });
}
