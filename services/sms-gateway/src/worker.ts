import { checkDatabase, createDatabase } from '@daylift/database/create-database';
import { createQueues } from '@daylift/jobs/queues';
import type { JobWorkers } from '@daylift/jobs/run-worker';
import { createServer } from '@daylift/server/create-server';
import type { LogLevel } from '@daylift/server/logger';
import { runProcess } from '@daylift/server/run-process';
import { loadSmsConfig } from './config.ts';
import { createDeps } from './create-deps.ts';
import type { SmsDatabase } from './database.ts';
import { ensurePartitions, workerLoops } from './loops.ts';
import { createTelnyx } from './provider/telnyx-client.ts';
import { runSendJobs } from './queue/send-jobs.ts';
import { queueName } from './queue/send-queue.ts';

const config = loadSmsConfig();

await runProcess('sms-worker', config, async ({ clock, log, onStop, untilReachable }) => {
  const db = createDatabase<SmsDatabase>({
    url: config.DATABASE_URL,
    name: 'sms-worker',
    // A worker needs a connection only briefly for each group.
    max: 10,
    onError: (error) => log.warn({ err: error }, 'database connection lost'),
  });
  onStop(() => db.destroy());
  const deps = createDeps(config, { db, clock, log, onStop }, createTelnyx);
  const jobs = {
    redisUrl: config.REDIS_URL,
    name: queueName,
    onError: (error: Error) => log.warn({ err: error }, 'queue error'),
  };
  const queues = createQueues(jobs);
  onStop(() => queues.close());
  let workers: JobWorkers | null = null;
  const app = createServer({
    name: 'sms-worker',
    logLevel: config.LOG_LEVEL as LogLevel,
    readiness: { database: () => checkDatabase(db), queue: () => queues.check() },
  });
  await untilReachable(() => checkDatabase(db));
  await ensurePartitions(deps);
  return {
    service: 'sms-gateway',
    app,
    loops: workerLoops({ ...deps, queues }, config),
    start: () => {
      workers = runSendJobs(deps, jobs);
    },
    stop: async () => workers?.close(),
  };
});
