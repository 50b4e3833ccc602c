import { ErrorBody } from '@daylift/contracts/error';
import { LoggedTextList, LogQuery } from '@daylift/contracts/sms-operations.http';
import { actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import { adminOf, requireAdmin } from '@daylift/server/identity';
import type { SmsDeps } from '../deps.ts';
import { InvalidSpan, UnknownLoggedText } from '../errors.ts';
import { localDateOf } from '../texts/text-ids.ts';
import { findLoggedTexts, findLogPlace, type LogPlace } from './delivery-log.repository.ts';
import { loggedTextOf } from './delivery-log.view.ts';
import { createAccessRecorder } from './record-access.ts';

const schema = {
  querystring: LogQuery,
  response: { 200: LoggedTextList, 400: ErrorBody, 401: ErrorBody, 403: ErrorBody },
};

/** `sms-logs` has every text, also those that were never sent, with its reason; `messages` has those that left. */
export async function registerDeliveryLog(
  app: Server,
  deps: Pick<SmsDeps, 'db' | 'clock'>,
): Promise<void> {
  const { db } = deps;
  const recordAccess = createAccessRecorder(deps);
  app.addHook('onRequest', requireAdmin('viewer'));
  for (const { path, only_sent } of [
    { path: '/admin/sms-logs', only_sent: false },
    { path: '/admin/messages', only_sent: true },
  ]) {
    app.get(path, { schema }, async (request) => {
      const { before, limit, ...filter } = request.query;
      if (filter.from !== undefined && filter.to !== undefined && filter.to < filter.from)
        throw new InvalidSpan();
      const behind = before === undefined ? null : await placeOf(db, before);
      const rows = await findLoggedTexts(db, { ...filter, only_sent }, { behind, limit });
      await recordAccess(actingAdmin(request));
      return rows.map((row) => loggedTextOf(row, adminOf(request).role));
    });
  }
}

async function placeOf(db: SmsDeps['db'], id: string): Promise<LogPlace> {
  const local_date = localDateOf(id);
  const place = local_date === null ? undefined : await findLogPlace(db, { id, local_date });
  if (place === undefined) throw new UnknownLoggedText();
  return place;
}
