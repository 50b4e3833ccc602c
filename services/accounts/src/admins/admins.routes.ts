import { AdminMe } from '@daylift/contracts/accounts.http';
import { ErrorBody } from '@daylift/contracts/error';
import type { Server } from '@daylift/server/create-server';
import { adminOf, requireAdmin } from '@daylift/server/identity';

/** What every admin sees of themselves. */
export function adminMeRoutes(app: Server): void {
  app.addHook('onRequest', requireAdmin('viewer'));

  app.get(
    '/admin/me',
    { schema: { response: { 200: AdminMe, 401: ErrorBody, 403: ErrorBody } } },
    async (request) => {
      const { admin_id, username, role } = adminOf(request);
      return { id: admin_id, username, role };
    },
  );
}
