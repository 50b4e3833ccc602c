import { inSpan, SpanKind } from '@daylift/telemetry/tracing';
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { reconnectOnError } from './failover.ts';
import { type JobData, queueNames } from './queues.ts';

export interface JobWorkers {
  /** Waits for running jobs and takes no new ones. */
  close(): Promise<void>;
}

/**
 * Runs `handle` for each job, at most `concurrency` urgent and as many other ones at a time. Errors go to `onFailed`;
 * the job is removed either way, because its rows decide whether anything is left to do.
 */
export function runWorkers(options: {
  redisUrl: string;
  name: string;
  concurrency: number;
  handle: (job: { ids: string[]; isUrgent: boolean }) => Promise<void>;
  onFailed: (error: unknown) => void;
  /** Connection errors. */
  onError: (error: Error) => void;
}): JobWorkers {
  // Workers wait for Redis indefinitely; only producers fail fast.
  const connection = new Redis(options.redisUrl, { maxRetriesPerRequest: null, reconnectOnError });
  connection.on('error', options.onError);
  const names = queueNames(options.name);
  const workers = [names.urgent, names.bulk].map((name) => {
    const worker = new Worker<JobData>(
      name,
      async (job) => {
        try {
          const { ids, traceparent } = job.data;
          await inSpan(
            `process ${options.name}`,
            {
              kind: SpanKind.CONSUMER,
              attributes: { 'messaging.system': 'bullmq', 'daylift.texts': ids.length },
              parent: traceparent,
            },
            () => options.handle({ ids, isUrgent: name === names.urgent }),
          );
        } catch (error) {
          options.onFailed(error);
        }
      },
      {
        connection,
        concurrency: options.concurrency,
        removeOnComplete: { count: 0 },
        removeOnFail: { count: 0 },
        // After 3 to 9 seconds, jobs of a killed worker run again, however often that happens.
        lockDuration: 6_000,
        stalledInterval: 3_000,
        maxStalledCount: Number.MAX_SAFE_INTEGER,
        drainDelay: 10,
      },
    );
    worker.on('error', options.onError);
    return worker;
  });
  return {
    async close() {
      await Promise.all(workers.map((worker) => worker.close()));
      connection.disconnect();
    },
  };
}
