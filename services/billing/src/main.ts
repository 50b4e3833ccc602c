import { createDatabase } from '@daylift/database/create-database';
import { connectBus } from '@daylift/events/bus';
import { createConsumer } from '@daylift/events/consume';
import { createRelay, listenToOutbox } from '@daylift/events/relay';
import { createMailLoop } from '@daylift/mail/mail';
import { runProcess } from '@daylift/server/run-process';
import { sql } from 'kysely';
import { buildApp } from './app.ts';
import { loadBillingConfig } from './config.ts';
import { createSubscriptions } from './consumers.ts';
import { createDeps } from './create-deps.ts';
import type { BillingDatabase } from './database.ts';
import { createBillingLoops } from './loops.ts';

const config = loadBillingConfig();

await runProcess('billing', config, async ({ clock, log, onStop, nudge }) => {
  const db = createDatabase<BillingDatabase>({
    url: config.DATABASE_URL,
    name: 'billing',
    onError: (error) => log.warn({ err: error }, 'database connection lost'),
  });
  onStop(() => db.destroy());
  const bus = await connectBus({ url: config.NATS_URL, name: 'billing' });
  onStop(() => bus.close());
  const deps = createDeps(config, { db, clock, log, wake: nudge });
  const consumers = createSubscriptions(deps).map((one) =>
    createConsumer({ service: 'billing', db, bus, clock, log }, one),
  );
  onStop(() => Promise.all(consumers.map((one) => one.stop())));
  const listening = new AbortController();
  onStop(() => listening.abort());
  void listenToOutbox({
    databaseUrl: config.DATABASE_URL,
    wake: () => nudge('outbox-relay'),
    signal: listening.signal,
  });
  const mail = createMailLoop({
    db,
    clock,
    log,
    smtpUrl: config.SMTP_URL,
    from: `${config.PRODUCT_NAME} <${config.MAIL_FROM}>`,
  });
  onStop(() => mail.close());
  const app = await buildApp(deps, {
    logLevel: config.LOG_LEVEL,
    tokenSecret: config.INTERNAL_TOKEN_SECRET,
    readiness: {
      database: () => sql`select 1`.execute(db),
      events: () => bus.check(),
      prices: () => deps.prices.check(),
    },
  });
  const relay = createRelay({ db, bus, owner: 'billing', clock, log });
  return {
    app,
    loops: [...relay, ...consumers.map((one) => one.loop), ...createBillingLoops(deps), mail],
    start: () => {
      for (const one of consumers) one.start();
    },
  };
});
