import { smsGatewayApi } from '@daylift/contracts/sms-gateway.api';
import { actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import type { SmsDeps } from '../deps.ts';
import { tryProvider } from './try-provider.ts';

export function probeRoutes(app: Server, deps: SmsDeps): void {
  implement(app, smsGatewayApi, {
    'POST /admin/send-pause/try': (request) => tryProvider(deps, actingAdmin(request)),
  });
}
