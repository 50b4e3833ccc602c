import { billingApi } from '@daylift/contracts/billing.api';
import { runService } from '@daylift/events/run-service';
import { buildApp } from './app.ts';
import { loadBillingConfig } from './config.ts';
import { consumers } from './consumers.ts';
import { createDeps } from './create-deps.ts';
import { billingLoops } from './loops.ts';

await runService({
  api: billingApi,
  owner: 'billing',
  config: loadBillingConfig(),
  createDeps,
  consumers,
  buildApp,
  loops: billingLoops,
  readiness: ({ prices }) => ({ prices: () => prices.check() }),
});
