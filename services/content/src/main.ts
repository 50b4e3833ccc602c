import { createDatabase } from '@daylift/database/create-database';
import { joinEvents } from '@daylift/events/join-events';
import { runProcess } from '@daylift/server/run-process';
import { sql } from 'kysely';
import { buildApp } from './app.ts';
import { loadContentConfig } from './config.ts';
import { subscriptions } from './consumers.ts';
import type { ContentDatabase } from './database.ts';
import { publishLibrary } from './templates/publish-library.ts';

const config = loadContentConfig();

await runProcess('content', config, async (process) => {
  const { clock, log, onStop } = process;
  const db = createDatabase<ContentDatabase>({
    url: config.DATABASE_URL,
    name: 'content',
    onError: (error) => log.warn({ err: error }, 'database connection lost'),
  });
  onStop(() => db.destroy());
  const joined = await joinEvents(process, {
    owner: 'content',
    db,
    databaseUrl: config.DATABASE_URL,
    natsUrl: config.NATS_URL,
    natsReplicas: config.NATS_REPLICAS,
  });
  await process.untilReachable(() => sql`select 1`.execute(db));
  await publishLibrary(db, clock);
  const events = joined.consume(subscriptions);
  const app = await buildApp(
    {
      db,
      clock,
      product: { name: config.PRODUCT_NAME, supportEmail: config.SUPPORT_EMAIL },
      operatorTimeZone: config.OPERATOR_TIMEZONE,
    },
    {
      logLevel: config.LOG_LEVEL,
      identityPublicKeys: config.IDENTITY_PUBLIC_KEYS,
      readiness: { database: () => sql`select 1`.execute(db), events: () => joined.check() },
    },
  );
  return {
    app,
    loops: events.loops,
    start: events.start,
  };
});
