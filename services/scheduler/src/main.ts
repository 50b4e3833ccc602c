import { createDatabase } from '@daylift/database/create-database';
import { connectBus } from '@daylift/events/bus';
import { createConsumer } from '@daylift/events/consume';
import { createRelay, listenToOutbox } from '@daylift/events/relay';
import { runProcess } from '@daylift/server/run-process';
import { sql } from 'kysely';
import { buildApp } from './app.ts';
import { loadSchedulerConfig } from './config.ts';
import { subscriptions } from './consumers.ts';
import type { SchedulerDatabase } from './database.ts';
import { createDeps } from './deps.ts';
import { preparePartitions } from './dispatches/partitions.loop.ts';
import { schedulerLoops } from './loops.ts';

const config = loadSchedulerConfig();
await runProcess('scheduler', config, async ({ clock, log, onStop, nudge }) => {
  const db = createDatabase<SchedulerDatabase>({
    url: config.DATABASE_URL,
    name: 'scheduler',
    onError: (error) => log.warn({ err: error }, 'database connection lost'),
  });
  onStop(() => db.destroy());
  const bus = await connectBus({ url: config.NATS_URL, name: 'scheduler' });
  onStop(() => bus.close());
  const deps = createDeps(config, { db, clock });
  await preparePartitions(deps);
  const consumers = subscriptions(deps).map((one) =>
    createConsumer({ service: 'scheduler', db, bus, clock, log }, one),
  );
  onStop(() => Promise.all(consumers.map((one) => one.stop())));
  const listening = new AbortController();
  onStop(() => listening.abort());
  const wake = () => nudge('outbox-relay');
  void listenToOutbox({ databaseUrl: config.DATABASE_URL, wake, signal: listening.signal });
  const app = await buildApp({
    deps,
    identitySecret: config.INTERNAL_TOKEN_SECRET,
    logLevel: config.LOG_LEVEL,
    readiness: { database: () => sql`select 1`.execute(db), events: () => bus.check() },
  });
  return {
    app,
    loops: [
      ...createRelay({ db, bus, owner: 'scheduler', clock, log }),
      ...consumers.map((one) => one.loop),
      ...schedulerLoops(deps),
    ],
    start: () => consumers.forEach((one) => void one.start()),
  };
});
