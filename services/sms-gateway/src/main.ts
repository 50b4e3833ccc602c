import { smsGatewayApi } from '@daylift/contracts/sms-gateway.api';
import { runService } from '@daylift/events/run-service';
import { buildApp } from './app.ts';
import { loadSmsConfig } from './config.ts';
import { consumers } from './consumers.ts';
import { createDeps } from './create-deps.ts';
import { gatewayLoops } from './loops.ts';
import { createTelnyxWhenNeeded } from './provider/telnyx-when-needed.ts';
import { pushTextsToWorkers } from './queue/push-to-workers.ts';

await runService({
  api: smsGatewayApi,
  owner: 'sms',
  config: loadSmsConfig(),
  connections: 10,
  createDeps: (config, context) => {
    pushTextsToWorkers(config, context);
    return createDeps(config, context, createTelnyxWhenNeeded);
  },
  consumers,
  buildApp,
  loops: gatewayLoops,
  // A manual queue run ends after the calls already in progress.
  stop: async ({ limiter }) => limiter.closeLine(),
});
