import { ExportPart } from '@daylift/contracts/accounts.http';
import { ErrorBody } from '@daylift/contracts/error';
import { Id } from '@daylift/contracts/fields';
import type { Server } from '@daylift/server/create-server';
import { requireService } from '@daylift/server/identity';
import { Type } from 'typebox';
import type { SchedulerDeps } from '../deps.ts';
import { exportDispatches, exportSettings } from './export.repository.ts';

/** Our part of what a person is given when they ask what is kept of them. */
export function exportRoutes(app: Server, { db }: SchedulerDeps): void {
  app.addHook('onRequest', requireService);
  app.get(
    '/internal/export/:id',
    {
      schema: {
        params: Type.Object({ id: Id }),
        response: { 200: ExportPart, 400: ErrorBody, 401: ErrorBody, 403: ErrorBody },
      },
    },
    async ({ params: { id } }) => {
      const settings = await exportSettings(db, id);
      return settings === undefined
        ? {}
        : { settings, planned_texts: await exportDispatches(db, id) };
    },
  );
}
