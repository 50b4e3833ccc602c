import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { reconnectOnError } from './failover.ts';

/** A job only points to rows. Redis holds no personal data. */
export interface JobData {
  ids: string[];
  /** The trace that it belongs to. */
  traceparent?: string;
}

export interface JobGroup {
  ids: string[];
  /** Urgent jobs have their own queue, so they never wait behind others. */
  isUrgent: boolean;
  traceparent?: string | null;
}

export interface JobQueues {
  /** Adds a job per group. Throws if Redis doesn't respond soon. */
  add(groups: JobGroup[]): Promise<void>;
  /** Waiting and running jobs. */
  counts(): Promise<{ waiting: number; active: number }>;
  /** Throws while Redis doesn't respond or may evict jobs. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** A producer fails fast, so no request hangs on Redis. A loop adds what could not be added. */
export function createQueues(options: {
  redisUrl: string;
  name: string;
  onError: (error: Error) => void;
}): JobQueues {
  const connection = new Redis(options.redisUrl, {
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    lazyConnect: false,
    reconnectOnError,
  });
  connection.on('error', options.onError);
  const names = queueNames(options.name);
  const opened = new Map<string, Queue<JobData>>();

  function requireReady(): void {
    if (connection.status !== 'ready') throw new Error('redis unavailable');
  }

  /**
   * A queue reads the Redis version when it is created and stays unusable if that fails; the next call then creates
   * another.
   */
  async function open(name: string): Promise<Queue<JobData>> {
    requireReady();
    const queue = opened.get(name) ?? newQueue(name);
    opened.set(name, queue);
    try {
      await queue.waitUntilReady();
    } catch (error) {
      if (opened.get(name) === queue) opened.delete(name);
      await queue.close().catch(() => undefined);
      throw error;
    }
    return queue;
  }

  function newQueue(name: string): Queue<JobData> {
    const queue = new Queue<JobData>(name, {
      connection,
      skipWaitingForReady: true,
      defaultJobOptions: { removeOnComplete: true, removeOnFail: true, attempts: 1 },
    });
    queue.on('error', options.onError);
    return queue;
  }

  return {
    async add(groups) {
      await Promise.all(
        [names.bulk, names.urgent].map(async (name) => {
          const queued = groups.filter(({ isUrgent }) => isUrgent === (name === names.urgent));
          if (queued.length === 0) return;
          const queue = await open(name);
          await queue.addBulk(
            queued.map(({ ids, traceparent }) => ({
              name: 'send',
              data: { ids, ...(traceparent && { traceparent }) },
            })),
          );
        }),
      );
    },
    async counts() {
      const all = await Promise.all(
        Object.values(names).map(async (name) =>
          (await open(name)).getJobCounts('waiting', 'active', 'prioritized'),
        ),
      );
      return {
        waiting: all.reduce((sum, one) => sum + (one.waiting ?? 0) + (one.prioritized ?? 0), 0),
        active: all.reduce((sum, one) => sum + (one.active ?? 0), 0),
      };
    },
    async check() {
      // The client permits INFO before any other command.
      requireReady();
      const memory = await connection.info('memory');
      if (!memory.includes('maxmemory_policy:noeviction'))
        throw new Error('Redis must run with maxmemory-policy noeviction');
    },
    async close() {
      await Promise.all([...opened.values()].map((queue) => queue.close().catch(() => undefined)));
      connection.disconnect();
    },
  };
}

export function queueNames(name: string): { bulk: string; urgent: string } {
  return { bulk: name, urgent: `${name}-urgent` };
}
