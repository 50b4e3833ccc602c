import { ErrorBody } from '@daylift/contracts/error';
import { ImportReport, ImportRequest } from '@daylift/contracts/scheduled-messages.http';
import { actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import { requireAdmin } from '@daylift/server/identity';
import type { ContentDeps } from '../deps.ts';
import { importMessages } from './imports.actions.ts';

/** A file of a megabyte, as JSON writes it. */
const importBytes = 4 * 1024 * 1024;

export async function importRoutes(app: Server, deps: ContentDeps): Promise<void> {
  app.addHook('onRequest', requireAdmin('operator'));
  app.post(
    '/admin/scheduled-messages/import',
    {
      bodyLimit: importBytes,
      schema: {
        body: ImportRequest,
        response: {
          200: ImportReport,
          400: ErrorBody,
          401: ErrorBody,
          403: ErrorBody,
          409: ErrorBody,
        },
      },
    },
    (request) => importMessages(deps, request.body, actingAdmin(request)),
  );
}
