import { smsGatewayApi } from '@daylift/contracts/sms-gateway.api';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import type { SmsDeps } from '../deps.ts';
import { findLookup } from '../number-lookups/number-lookups.repository.ts';
import {
  exportOptOut,
  exportReplies,
  exportStaffOptOuts,
  exportTexts,
  findPerson,
} from './export.repository.ts';

/** This service's part of a subscriber's data export. */
export function exportRoutes(app: Server, { db }: SmsDeps): void {
  implement(app, smsGatewayApi, {
    'GET /internal/export/:id': async ({ params: { id } }) => {
      const person = await findPerson(db, id);
      if (person === undefined) return {};
      const provenPhone = person.phone_proven ? person.phone : null;
      return {
        number: person.phone,
        texts: await exportTexts(db, id, provenPhone),
        replies: await exportReplies(db, id, provenPhone),
        number_lookup: person.phone_proven ? await findLookup(db, person.number_hash) : null,
        opt_out: person.phone_proven ? await exportOptOut(db, person.number_hash) : null,
        opt_outs_by_staff: await exportStaffOptOuts(db, id),
      };
    },
  });
}
