import { inSpan, SpanKind } from '@daylift/telemetry/tracing';
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { type PointerJob, shardNames } from './queues.ts';

export interface JobWorkers {
  /** Jobs done since the start; only grows. */
  done(): number;
  /** Lets running jobs end, takes no new ones. */
  close(): Promise<void>;
}

/**
 * Runs `handle` for each pointer, at most `concurrency` at a time a shard. What it throws goes to `onFailed`; the job is
 * gone either way, because the row behind it decides whether there is something left to do.
 */
export function runWorkers(options: {
  redisUrl: string;
  name: string;
  shards: number;
  concurrency: number;
  handle: (id: string) => Promise<void>;
  onFailed: (error: unknown, id: string) => void;
  /** Of the connection. */
  onError: (error: Error) => void;
}): JobWorkers {
  // Workers wait for Redis as long as it takes; only producers fail fast.
  const connection = new Redis(options.redisUrl, { maxRetriesPerRequest: null });
  connection.on('error', options.onError);
  let done = 0;
  const workers = shardNames(options.name, options.shards).map((name) => {
    const worker = new Worker<PointerJob>(
      name,
      async (job) => {
        try {
          const { id, traceparent } = job.data;
          await inSpan(
            `process ${options.name}`,
            {
              kind: SpanKind.CONSUMER,
              attributes: { 'messaging.system': 'bullmq', 'daylift.pointer': id },
              parent: traceparent,
            },
            () => options.handle(id),
          );
        } catch (error) {
          options.onFailed(error, job.data.id);
        } finally {
          done += 1;
        }
      },
      {
        connection,
        concurrency: options.concurrency,
        removeOnComplete: { count: 0 },
        removeOnFail: { count: 0 },
        lockDuration: 30_000,
        stalledInterval: 15_000,
        drainDelay: 2,
      },
    );
    worker.on('error', options.onError);
    return worker;
  });
  return {
    done: () => done,
    async close() {
      await Promise.all(workers.map((worker) => worker.close()));
      connection.disconnect();
    },
  };
}
