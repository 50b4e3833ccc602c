import { inSpan, SpanKind } from '@daylift/telemetry/tracing';
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { type PointerJob, shardNames } from './queues.ts';

export interface JobWorkers {
  /** Number of jobs done since the start. */
  done(): number;
  /** Waits for running jobs and takes no new ones. */
  close(): Promise<void>;
}

/**
 * Runs `handle` for each job, at most `concurrency` at a time per shard. Errors go to `onFailed`; the job is removed
 * either way, because its row decides whether anything is left to do.
 */
export function runWorkers(options: {
  redisUrl: string;
  name: string;
  shards: number;
  concurrency: number;
  handle: (id: string) => Promise<void>;
  onFailed: (error: unknown, id: string) => void;
  /** Connection errors. */
  onError: (error: Error) => void;
}): JobWorkers {
  // Workers wait for Redis indefinitely; only producers fail fast.
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
