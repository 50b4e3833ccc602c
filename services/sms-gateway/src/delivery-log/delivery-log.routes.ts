import { smsGatewayApi } from '@daylift/contracts/sms-gateway.api';
import type { LogQuery } from '@daylift/contracts/sms-operations.http';
import { actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import { adminOf } from '@daylift/server/identity';
import { implement } from '@daylift/server/implement';
import type { FastifyRequest } from 'fastify';
import type { SmsDeps } from '../deps.ts';
import { InvalidSpan, UnknownLoggedText } from '../errors.ts';
import { localDateOf } from '../texts/text-ids.ts';
import { findLoggedTexts, findLogPlace, type LogPlace } from './delivery-log.repository.ts';
import { loggedTextOf } from './delivery-log.view.ts';
import { createAccessRecorder } from './record-access.ts';

export function deliveryLogRoutes(app: Server, deps: Pick<SmsDeps, 'db' | 'clock'>): void {
  const { db } = deps;
  const recordAccess = createAccessRecorder(deps);
  const listTexts = async (request: FastifyRequest, query: LogQuery, only_sent: boolean) => {
    const { before, limit, ...filter } = query;
    if (filter.from !== undefined && filter.to !== undefined && filter.to < filter.from)
      throw new InvalidSpan();
    const behind = before === undefined ? null : await placeOf(db, before);
    const rows = await findLoggedTexts(db, { ...filter, only_sent }, { behind, limit });
    await recordAccess(actingAdmin(request));
    return rows.map((row) => loggedTextOf(row, adminOf(request).role));
  };
  implement(app, smsGatewayApi, {
    'GET /admin/sms-logs': (request) => listTexts(request, request.query, false),
    'GET /admin/messages': (request) => listTexts(request, request.query, true),
  });
}

async function placeOf(db: SmsDeps['db'], id: string): Promise<LogPlace> {
  const local_date = localDateOf(id);
  const place = local_date === null ? undefined : await findLogPlace(db, { id, local_date });
  if (place === undefined) throw new UnknownLoggedText();
  return place;
}
