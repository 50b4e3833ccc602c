import { TemplateList } from '@daylift/contracts/content.http';
import { ErrorBody } from '@daylift/contracts/error';
import { Page } from '@daylift/contracts/fields';
import type { Server } from '@daylift/server/create-server';
import { requireAdmin } from '@daylift/server/identity';
import type { ContentDeps } from '../deps.ts';
import { listTemplates } from './templates.repository.ts';

export async function templateRoutes(app: Server, { db }: Pick<ContentDeps, 'db'>): Promise<void> {
  app.addHook('onRequest', requireAdmin('viewer'));
  app.get(
    '/admin/templates',
    {
      schema: {
        querystring: Page,
        response: { 200: TemplateList, 400: ErrorBody, 401: ErrorBody, 403: ErrorBody },
      },
    },
    async (request, reply) => {
      const { rows, total } = await listTemplates(db, request.query);
      reply.header('x-total-count', total);
      return rows;
    },
  );
}
