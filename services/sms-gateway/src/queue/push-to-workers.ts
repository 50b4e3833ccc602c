import { createQueues } from '@daylift/jobs/queues';
import type { Logger } from '@daylift/server/logger';
import { onTextsQueued } from '../texts/push-texts.ts';
import { jobsOf, queueName } from './send-queue.ts';

/** Adds jobs for due texts right after they are stored. The refill loop of the workers adds what this misses. */
export function pushTextsToWorkers(
  { REDIS_URL }: { REDIS_URL: string },
  { log, onStop }: { log: Logger; onStop(close: () => Promise<unknown> | unknown): void },
): void {
  const queues = createQueues({
    redisUrl: REDIS_URL,
    name: queueName,
    onError: (error) => log.warn({ err: error }, 'redis unavailable'),
  });
  const stop = onTextsQueued((texts) => {
    queues
      .add(jobsOf(texts))
      .catch((error: unknown) => log.warn({ err: error }, 'jobs not added; workers add them'));
  });
  onStop(() => {
    stop();
    return queues.close();
  });
}
