import { accountsApi } from '@daylift/contracts/accounts.api';
import { runService } from '@daylift/events/run-service';
import { prepareFirstOwner } from './admins/first-owner.ts';
import { buildApp } from './app.ts';
import { loadAccountsConfig } from './config.ts';
import { consumers } from './consumers.ts';
import { createDeps } from './create-deps.ts';
import { accountsLoops } from './loops.ts';

await runService({
  api: accountsApi,
  owner: 'accounts',
  config: loadAccountsConfig(),
  createDeps,
  prepare: prepareFirstOwner,
  consumers,
  buildApp,
  loops: accountsLoops,
});
