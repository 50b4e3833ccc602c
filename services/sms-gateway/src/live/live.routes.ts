import { ErrorBody } from '@daylift/contracts/error';
import { SmsLive } from '@daylift/contracts/live.http';
import type { Server } from '@daylift/server/create-server';
import { requireService } from '@daylift/server/identity';
import { findBatches } from '../batches/batches.repository.ts';
import type { SmsDeps } from '../deps.ts';
import { findStatistics } from '../statistics/statistics.repository.ts';
import { findSending } from './live.repository.ts';

/** As many as the pages list. */
const recentBatches = 20;

/** What the gateway shows to admins who look on; asked each second. */
export async function registerLive(app: Server, { db }: SmsDeps): Promise<void> {
  app.addHook('onRequest', requireService);
  app.get(
    '/internal/live',
    { schema: { response: { 200: SmsLive, 401: ErrorBody, 403: ErrorBody } } },
    async () => {
      const [batches, sms, sending] = await Promise.all([
        findBatches(db, recentBatches),
        findStatistics(db),
        findSending(db),
      ]);
      return { batches, sms, sending };
    },
  );
}
