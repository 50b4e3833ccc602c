import { createDatabase } from '@daylift/database/create-database';
import { connectBus } from '@daylift/events/bus';
import { createConsumer } from '@daylift/events/consume';
import { createRelay, listenToOutbox } from '@daylift/events/relay';
import { createMailLoop } from '@daylift/mail/mail';
import { createInternalClient } from '@daylift/server/internal-client';
import type { LogLevel } from '@daylift/server/logger';
import { runProcess } from '@daylift/server/run-process';
import { sql } from 'kysely';
import { buildApp } from './app.ts';
import { catalogues } from './catalogue/catalogue.ts';
import { createPrices } from './catalogue/prices.ts';
import { loadBillingConfig } from './config.ts';
import { createSubscriptions } from './consumers.ts';
import type { BillingDatabase } from './database.ts';
import { createBillingLoops } from './loops.ts';
import { createStripe } from './stripe-client.ts';

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
  const stripe = createStripe({ apiKey: config.STRIPE_API_KEY, sandboxUrl: config.SANDBOX_URL });
  const catalogue = catalogues[config.PLAN_CATALOGUE];
  const deps = {
    db,
    clock,
    log,
    stripe,
    catalogue,
    webhookSecret: config.STRIPE_WEBHOOK_SECRET,
    prices: createPrices({ stripe, catalogue, productName: config.PRODUCT_NAME, log }),
    accounts: createInternalClient({
      from: 'billing',
      to: 'accounts',
      baseUrl: config.ACCOUNTS_URL,
      secret: config.INTERNAL_TOKEN_SECRET,
    }),
    product: {
      name: config.PRODUCT_NAME,
      supportEmail: config.SUPPORT_EMAIL,
      publicUrl: config.PUBLIC_URL.replace(/\/$/, ''),
    },
    allowedOrigins: config.allowedOrigins,
    stopEndsRenewal: config.STOP_ENDS_RENEWAL === 'on',
    wake: nudge,
  };
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
    logLevel: config.LOG_LEVEL as LogLevel,
    tokenSecret: config.INTERNAL_TOKEN_SECRET,
    readiness: {
      database: () => sql`select 1`.execute(db),
      events: () => bus.check(),
      prices: () => deps.prices.check(),
    },
  });
  return {
    app,
    loops: [
      ...createRelay({ db, bus, owner: 'billing', clock, log }),
      ...consumers.map((one) => one.loop),
      ...createBillingLoops(deps),
      mail,
    ],
    start: () => {
      for (const one of consumers) one.start();
    },
  };
});
