import { createDatabase } from '@daylift/database/create-database';
import { joinEvents } from '@daylift/events/join-events';
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

await runProcess('billing', config, async (process) => {
  const { clock, log, onStop, nudge } = process;
  const db = createDatabase<BillingDatabase>({
    url: config.DATABASE_URL,
    name: 'billing',
    onError: (error) => log.warn({ err: error }, 'database connection lost'),
  });
  onStop(() => db.destroy());
  const joined = await joinEvents(process, {
    owner: 'billing',
    db,
    databaseUrl: config.DATABASE_URL,
    natsUrl: config.NATS_URL,
    natsReplicas: config.NATS_REPLICAS,
  });
  const deps = createDeps(config, { db, clock, log, wake: nudge });
  const events = joined.consume(createSubscriptions(deps));
  const mail = createMailLoop({
    db,
    clock,
    log,
    smtpUrl: config.SMTP_URL,
    from: config.MAIL_FROM,
  });
  onStop(() => mail.close());
  const app = await buildApp(deps, {
    logLevel: config.LOG_LEVEL,
    identityPublicKeys: config.IDENTITY_PUBLIC_KEYS,
    readiness: {
      database: () => sql`select 1`.execute(db),
      events: () => joined.check(),
      prices: () => deps.prices.check(),
    },
  });
  return {
    app,
    loops: [...events.loops, ...createBillingLoops(deps), mail],
    start: events.start,
  };
});
