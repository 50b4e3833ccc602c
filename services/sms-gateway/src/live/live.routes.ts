import { smsGatewayApi } from '@daylift/contracts/sms-gateway.api';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import { findBatches } from '../batches/batches.repository.ts';
import type { SmsDeps } from '../deps.ts';
import { readFreeze } from '../freeze/freeze.actions.ts';
import { findTestingMode } from '../settings/testing-mode.repository.ts';
import { findStatistics } from '../statistics/statistics.repository.ts';

/** As many as the pages list. */
const recentBatches = 20;

/** The figures of the live dashboard, which the gateway polls each second. */
export function liveRoutes(app: Server, deps: SmsDeps): void {
  implement(app, smsGatewayApi, {
    'GET /internal/live': async () => {
      const [batches, sms, freeze, mode] = await Promise.all([
        findBatches(deps.db, recentBatches, deps.clock.now()),
        findStatistics(deps.db),
        readFreeze(deps),
        findTestingMode(deps.db),
      ]);
      const { enabled, revision } = mode;
      return { batches, sms, freeze, testing_mode: { enabled, revision } };
    },
  });
}
