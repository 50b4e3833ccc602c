import { createDatabase } from '@daylift/database/create-database';
import { joinEvents } from '@daylift/events/join-events';
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
await runProcess('scheduler', config, async (process) => {
  const { clock, log, onStop } = process;
  const db = createDatabase<SchedulerDatabase>({
    url: config.DATABASE_URL,
    name: 'scheduler',
    onError: (error) => log.warn({ err: error }, 'database connection lost'),
  });
  onStop(() => db.destroy());
  const joined = await joinEvents(process, {
    owner: 'scheduler',
    db,
    databaseUrl: config.DATABASE_URL,
    natsUrl: config.NATS_URL,
    natsReplicas: config.NATS_REPLICAS,
  });
  const deps = createDeps(config, { db, clock });
  await process.untilReachable(() => sql`select 1`.execute(db));
  await preparePartitions(deps);
  const events = joined.consume(subscriptions(deps));
  const app = await buildApp({
    deps,
    identityPublicKeys: config.IDENTITY_PUBLIC_KEYS,
    logLevel: config.LOG_LEVEL,
    readiness: { database: () => sql`select 1`.execute(db), events: () => joined.check() },
  });
  return {
    app,
    loops: [...events.loops, ...schedulerLoops(deps)],
    start: events.start,
  };
});
