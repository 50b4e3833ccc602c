import { accountsApi } from '@daylift/contracts/accounts.api';
import type { Server } from '@daylift/server/create-server';
import { userOf } from '@daylift/server/identity';
import { implement } from '@daylift/server/implement';
import type { AccountsDeps } from '../deps.ts';
import { exportData } from './exports.actions.ts';

export function exportRoutes(app: Server, deps: AccountsDeps): void {
  implement(app, accountsApi, {
    'GET /users/me/export': async (request, reply) => {
      const { fileName, data } = await exportData(deps, userOf(request));
      reply.header('content-disposition', `attachment; filename="${fileName}"`);
      return data;
    },
  });
}
