import { Queue } from 'bullmq';
import { Redis } from 'ioredis';

/** A job is only a pointer to a row. Redis holds no personal data. */
export interface PointerJob {
  id: string;
  /** The trace that it belongs to. */
  traceparent?: string;
}

export interface Pointer {
  id: string;
  round: number;
  traceparent?: string | null;
}

export interface JobQueues {
  /**
   * Adds jobs; the same id and round twice is one job. To add an id again because its job seems lost, use the next
   * round, because the lost one may still hold its name. Throws if Redis doesn't respond soon.
   */
  add(pointers: Pointer[]): Promise<void>;
  /** Waiting and running jobs of all shards. */
  counts(): Promise<{ waiting: number; active: number }>;
  /** Throws while Redis doesn't respond or may evict jobs. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** A producer fails fast, so no request hangs on Redis. A loop adds what could not be added. */
export function createQueues(options: {
  redisUrl: string;
  name: string;
  shards: number;
  onError: (error: Error) => void;
}): JobQueues {
  const connection = new Redis(options.redisUrl, {
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    lazyConnect: false,
  });
  connection.on('error', options.onError);
  const names = shardNames(options.name, options.shards);
  const opened = new Map<string, Queue<PointerJob>>();

  function requireReady(): void {
    if (connection.status !== 'ready') throw new Error('redis unavailable');
  }

  /**
   * A queue reads the Redis version when it is created and stays unusable if that fails; the next call then creates
   * another.
   */
  async function open(name: string): Promise<Queue<PointerJob>> {
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

  function newQueue(name: string): Queue<PointerJob> {
    const queue = new Queue<PointerJob>(name, {
      connection,
      skipWaitingForReady: true,
      defaultJobOptions: { removeOnComplete: true, removeOnFail: true, attempts: 1 },
    });
    queue.on('error', options.onError);
    return queue;
  }

  return {
    async add(pointers) {
      await Promise.all(
        names.map(async (name, shard) => {
          const mine = pointers.filter(({ id }) => shardOf(id, names.length) === shard);
          if (mine.length === 0) return;
          const queue = await open(name);
          await queue.addBulk(
            mine.map(({ id, round, traceparent }) => ({
              name: 'send',
              data: { id, ...(traceparent && { traceparent }) },
              opts: { jobId: `d-${id}-${round}` },
            })),
          );
        }),
      );
    },
    async counts() {
      const all = await Promise.all(
        names.map(async (name) =>
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

export function shardNames(name: string, shards: number): string[] {
  return Array.from({ length: shards }, (_unused, shard) => `${name}-${shard}`);
}

/** Stable across processes and restarts, so an id always maps to the same shard. */
function shardOf(id: string, shards: number): number {
  let hash = 0;
  for (let index = 0; index < id.length; index += 1)
    hash = (hash * 31 + id.charCodeAt(index)) >>> 0;
  return hash % shards;
}
