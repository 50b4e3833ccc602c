import { ErrorBody } from '@daylift/contracts/error';
import { SmsLive } from '@daylift/contracts/live.http';
import type { Server } from '@daylift/server/create-server';
import { requireService } from '@daylift/server/identity';
import { findBatches } from '../batches/batches.repository.ts';
import type { SmsDeps } from '../deps.ts';
import { readFreeze } from '../freeze/freeze.actions.ts';
import { findTestingMode } from '../settings/testing-mode.repository.ts';
import { findStatistics } from '../statistics/statistics.repository.ts';

/** As many as the pages list. */
const recentBatches = 20;

/** What the gateway shows to admins who look on; asked each second. */
export async function registerLive(app: Server, deps: SmsDeps): Promise<void> {
  app.addHook('onRequest', requireService);
  app.get(
    '/internal/live',
    { schema: { response: { 200: SmsLive, 401: ErrorBody, 403: ErrorBody } } },
    async () => {
      const [batches, sms, freeze, mode] = await Promise.all([
        findBatches(deps.db, recentBatches),
        findStatistics(deps.db),
        readFreeze(deps),
        findTestingMode(deps.db),
      ]);
      const { enabled, revision } = mode;
      return { batches, sms, freeze, testing_mode: { enabled, revision } };
    },
  );
}
