import { ExportPart } from '@daylift/contracts/accounts.http';
import { ErrorBody } from '@daylift/contracts/error';
import { Id } from '@daylift/contracts/fields';
import type { Server } from '@daylift/server/create-server';
import { requireService } from '@daylift/server/identity';
import { Type } from 'typebox';
import type { SmsDeps } from '../deps.ts';
import { exportOptOut, exportReplies, exportTexts, findPerson } from './export.repository.ts';

/** This service's part of a subscriber's data export. */
export async function registerExport(app: Server, { db }: SmsDeps): Promise<void> {
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
      const person = await findPerson(db, id);
      if (person === undefined) return {};
      return {
        number: person.phone,
        texts: await exportTexts(db, id),
        replies: await exportReplies(db, id, person.phone_proven ? person.phone : null),
        opt_out: person.phone_proven ? await exportOptOut(db, person.number_hash) : null,
      };
    },
  );
}
