import { ErrorBody } from '@daylift/contracts/error';
import { TryProviderResult } from '@daylift/contracts/freeze.http';
import { actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import { requireAdmin } from '@daylift/server/identity';
import type { SmsDeps } from '../deps.ts';
import { tryProvider } from './try-provider.ts';

export async function registerSendPause(app: Server, deps: SmsDeps): Promise<void> {
  app.addHook('onRequest', requireAdmin('operator'));
  app.post(
    '/admin/send-pause/try',
    {
      schema: {
        response: { 200: TryProviderResult, 401: ErrorBody, 403: ErrorBody, 409: ErrorBody },
      },
    },
    (request) => tryProvider(deps, actingAdmin(request)),
  );
}
