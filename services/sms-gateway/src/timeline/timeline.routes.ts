import { smsGatewayApi } from '@daylift/contracts/sms-gateway.api';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import type { SmsDeps } from '../deps.ts';
import { exportOptOut, findPerson } from '../export/export.repository.ts';
import { findLookup } from '../number-lookups/number-lookups.repository.ts';
import { findStaffOptOut } from '../staff-opt-outs/staff-opt-outs.repository.ts';
import { readDayPart, readTimelinePart } from './read-timeline.ts';

export function timelineRoutes(app: Server, { db, clock }: SmsDeps): void {
  implement(app, smsGatewayApi, {
    'GET /internal/timeline/:id': ({ params, query }) =>
      readTimelinePart(db, params.id, query, clock.now()),
    'GET /internal/days/:id/:date': ({ params: { id, date }, query }) =>
      readDayPart(db, id, { date, from: new Date(query.from), until: new Date(query.until) }),
    'GET /internal/opt-out/:id': async ({ params }) => {
      const person = await findPerson(db, params.id);
      const numberHash = person?.number_hash ?? null;
      const last = await exportOptOut(db, numberHash);
      const known = await findLookup(db, numberHash);
      const line = known && { type: known.line_type, carrier: known.carrier };
      if (last === null) return { last, line };
      const proof = last.source === 'staff' ? await findStaffOptOut(db, params.id) : undefined;
      return {
        line,
        last: {
          ...last,
          changed_at: last.changed_at.toISOString(),
          ...(proof && { admin: proof.admin, note: proof.note }),
        },
      };
    },
  });
}
