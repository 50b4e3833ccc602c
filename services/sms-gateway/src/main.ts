import { connectBus } from '@daylift/events/bus';
import { createConsumer } from '@daylift/events/consume';
import { createRelay, listenToOutbox } from '@daylift/events/relay';
import { runProcess } from '@daylift/server/run-process';
import { buildApp } from './app.ts';
import { loadServiceConfig } from './config.ts';
import { createDeps } from './create-deps.ts';
import { gatewayLoops } from './loops.ts';
import { subscriptions } from './subscriptions.ts';

const config = loadServiceConfig();

await runProcess('sms-gateway', config, async ({ clock, log, onStop, nudge }) => {
  const { deps, readiness } = createDeps(config, { name: 'sms-gateway', clock, log, onStop });
  const { db } = deps;
  const bus = await connectBus({ url: config.NATS_URL, name: 'sms-gateway' });
  onStop(() => bus.close());
  const consumers = subscriptions(deps).map((one) =>
    createConsumer({ service: 'sms', db, bus, clock, log }, one),
  );
  onStop(() => Promise.all(consumers.map((one) => one.stop())));
  const listening = new AbortController();
  onStop(() => listening.abort());
  void listenToOutbox({
    databaseUrl: config.DATABASE_URL,
    wake: () => nudge('outbox-relay'),
    signal: listening.signal,
  });
  const app = await buildApp(deps, { ...readiness, events: () => bus.check() });
  return {
    app,
    loops: [
      ...createRelay({ db, bus, owner: 'sms', clock, log }),
      ...consumers.map((one) => one.loop),
      ...gatewayLoops(deps),
    ],
    start: () => {
      for (const one of consumers) one.start();
    },
  };
});
