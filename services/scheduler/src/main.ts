import { createDatabase } from '@daylift/database/create-database';
import { connectBus } from '@daylift/events/bus';
import { createConsumer } from '@daylift/events/consume';
import { createRelay, listenToOutbox } from '@daylift/events/relay';
import { createInternalClient } from '@daylift/server/internal-client';
import { runProcess } from '@daylift/server/run-process';
import { sql } from 'kysely';
import { buildApp } from './app.ts';
import { loadSchedulerConfig } from './config.ts';
import { subscriptions } from './consumers.ts';
import type { SchedulerDatabase } from './database.ts';
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
  const smsGateway = createInternalClient({
    from: 'scheduler',
    to: 'sms-gateway',
    baseUrl: config.SMS_GATEWAY_URL,
    secret: config.INTERNAL_TOKEN_SECRET,
  });
  const deps = {
    db,
    clock,
    smsGateway,
    spreadMs: config.SEND_SPREAD_SECONDS * 1000,
    batchSize: config.SMS_BATCH_SIZE,
    operatorTimezone: config.OPERATOR_TIMEZONE,
    staffSendWaitMs: 20_000,
  };
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
