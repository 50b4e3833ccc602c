import { createDatabase } from '@daylift/database/create-database';
import { connectBus } from '@daylift/events/bus';
import { createConsumer } from '@daylift/events/consume';
import { createRelay, listenToOutbox } from '@daylift/events/relay';
import { runProcess } from '@daylift/server/run-process';
import { sql } from 'kysely';
import { buildApp } from './app.ts';
import { loadContentConfig } from './config.ts';
import { subscriptions } from './consumers.ts';
import type { ContentDatabase } from './database.ts';
import { publishLibrary } from './templates/publish-library.ts';

const config = loadContentConfig();

await runProcess('content', config, async ({ clock, log, onStop, nudge }) => {
  const db = createDatabase<ContentDatabase>({
    url: config.DATABASE_URL,
    name: 'content',
    onError: (error) => log.warn({ err: error }, 'database connection lost'),
  });
  onStop(() => db.destroy());
  const bus = await connectBus({ url: config.NATS_URL, name: 'content' });
  onStop(() => bus.close());
  await publishLibrary(db, clock);
  const consumers = subscriptions.map((one) =>
    createConsumer({ service: 'content', db, bus, clock, log }, one),
  );
  onStop(() => Promise.all(consumers.map((one) => one.stop())));
  const listening = new AbortController();
  onStop(() => listening.abort());
  void listenToOutbox({
    databaseUrl: config.DATABASE_URL,
    wake: () => nudge('outbox-relay'),
    signal: listening.signal,
  });
  const app = await buildApp(
    {
      db,
      clock,
      product: { name: config.PRODUCT_NAME, supportEmail: config.SUPPORT_EMAIL },
      operatorTimeZone: config.OPERATOR_TIMEZONE,
    },
    {
      logLevel: config.LOG_LEVEL,
      tokenSecret: config.INTERNAL_TOKEN_SECRET,
      readiness: { database: () => sql`select 1`.execute(db), events: () => bus.check() },
    },
  );
  const relay = createRelay({ db, bus, owner: 'content', clock, log });
  return {
    app,
    loops: [...relay, ...consumers.map((one) => one.loop)],
    start: () => {
      for (const one of consumers) one.start();
    },
  };
});
