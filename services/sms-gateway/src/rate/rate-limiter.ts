import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Gauge } from '@daylift/server/metrics';
import { Redis } from 'ioredis';

/** One slot of the provider's rate limit. */
export interface RateSlot {
  /** Reports the provider's response. Until then the slot counts as just used. */
  done(): void;
  /** Ends the use of the slot, after the outcome is recorded. Until then the call is open. */
  close(): void;
}

export interface RateLimiter {
  /**
   * Waits for slots, first come, first served in this process, except that urgent callers go first. Returns as many as
   * are free at once, at least 1 and at most `wanted`; none to callers still waiting when the line closes, and to later
   * ones. Throws if Redis doesn't respond.
   */
  take(wanted: number, options?: { isUrgent: boolean }): Promise<RateSlot[]>;
  /** Called before the process ends, because the line may be longer than the time left. */
  closeLine(): void;
  isLineClosed(): boolean;
  /** Withholds slots from all processes for this time. */
  hold(ms: number): Promise<void>;
  close(): void;
}

/**
 * Grants at most `limit` slots in any sliding second across all processes, on the clock of Redis. A slot counts from
 * being taken until one second after the response, because the provider counts a request somewhere in between; so the
 * bound holds at the provider whatever the network does. A slot without a response is stored some way ahead of now,
 * because the provider may still count the request after its process is killed. KEYS: the window, its creation time, a
 * hold. Returns {granted, wait in ms}.
 */
const takeScript = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local limit, wanted, ahead = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local hold = redis.call('PTTL', KEYS[3])
if hold > 0 then return {0, hold} end
-- Redis is new or was emptied: what left in the last second, or is under way, is forgotten, so that has to pass first.
redis.call('SET', KEYS[2], now, 'NX')
local young = 1000000 + ahead - (now - tonumber(redis.call('GET', KEYS[2])))
if young > 0 then return {0, math.ceil(young / 1000)} end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - 1000000)
local free = limit - redis.call('ZCARD', KEYS[1])
local granted = math.min(free, wanted)
for index = 1, granted do redis.call('ZADD', KEYS[1], now + ahead, ARGV[3 + index]) end
if granted > 0 then redis.call('PEXPIRE', KEYS[1], 60000) end
if granted >= wanted then return {granted, 0} end
local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
return {granted, math.max(1, math.ceil((tonumber(oldest[2]) + 1000000 - now) / 1000))}
`;

/** Slots without a response count as used some way ahead; those just answered count as used now. */
const touchScript = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
for index = 2, #ARGV do redis.call('ZADD', KEYS[1], now + tonumber(ARGV[1]), ARGV[index]) end
redis.call('PEXPIRE', KEYS[1], 60000)
`;

/** How long after its last update a killed process's request may still reach the provider. */
const aheadMs = 800;
const aheadUs = aheadMs * 1_000;
const touchEveryMs = aheadMs / 2;
const longestSleepMs = 1_000;

const limitPerSecond = new Gauge({
  name: 'sms_rate_limit_per_second',
  help: 'Maximum texts per second, across all processes',
});

interface Waiter {
  wanted: number;
  isUrgent: boolean;
  resolve(slots: RateSlot[]): void;
  reject(error: unknown): void;
}

/** `maxOpen` bounds the open calls of this process. */
export function createRateLimiter(options: {
  redisUrl: string;
  name: string;
  limit: number;
  maxOpen: number;
  onError: (error: Error) => void;
}): RateLimiter {
  const redis = new Redis(options.redisUrl, { maxRetriesPerRequest: 1, commandTimeout: 2_000 });
  redis.on('error', options.onError);
  limitPerSecond.set(options.limit);
  // The three keys share one hash slot of a cluster.
  const [window, born, holdKey] = ['window', 'born', 'hold'].map(
    (part) => `{rate:${options.name}}:${part}`,
  ) as [string, string, string];
  const waiting: Waiter[] = [];
  /** Slots without a response. */
  const inUse = new Set<string>();
  let open = 0;
  let pumping = false;
  let isClosed = false;

  const touch = (members: string[], ahead: number) =>
    redis.eval(touchScript, 1, window, ahead, ...members).catch(options.onError as () => void);
  const timer = setInterval(() => {
    if (inUse.size > 0) void touch([...inUse], aheadUs);
  }, touchEveryMs);
  timer.unref();

  /** Slots done in one turn of the event loop, reported together. */
  let doneNow: string[] = [];
  function reportDone(member: string): void {
    if (!inUse.delete(member)) return;
    if (doneNow.length === 0)
      setImmediate(() => {
        void touch(doneNow, 0);
        doneNow = [];
      });
    doneNow.push(member);
  }

  function slotOf(member: string): RateSlot {
    inUse.add(member);
    open += 1;
    let isOpen = true;
    return {
      done: () => reportDone(member),
      close() {
        reportDone(member);
        if (!isOpen) return;
        isOpen = false;
        open -= 1;
        if (!pumping && waiting.length > 0) void pump();
      },
    };
  }

  /** Takes as many slots as are free for the waiting callers, then sleeps until the next one. */
  async function pump(): Promise<void> {
    pumping = true;
    try {
      while (waiting.length > 0 && open < options.maxOpen) {
        const wanted = waiting.reduce((sum, one) => sum + one.wanted, 0);
        const count = Math.min(wanted, options.limit, options.maxOpen - open);
        const members = Array.from({ length: count }, () => randomUUID());
        const [granted, waitMs] = (await redis.eval(
          takeScript,
          3,
          window,
          born,
          holdKey,
          options.limit,
          members.length,
          aheadUs,
          ...members,
        )) as [number, number];
        if (granted > 0) grant(members.slice(0, granted));
        else await delay(Math.min(Math.max(waitMs, 1), longestSleepMs));
      }
    } catch (error) {
      for (const one of waiting.splice(0)) one.reject(error);
    } finally {
      pumping = false;
    }
  }

  /** The line may have closed meanwhile, so some slots may be left. */
  function grant(members: string[]): void {
    const slots = members.map(slotOf);
    while (slots.length > 0 && waiting.length > 0) {
      const { wanted, resolve } = waiting.shift()!;
      resolve(slots.splice(0, wanted));
    }
    for (const slot of slots) slot.close();
  }

  return {
    async take(wanted, { isUrgent } = { isUrgent: false }) {
      if (isClosed) return [];
      const turn = new Promise<RateSlot[]>((resolve, reject) => {
        const waiter = { wanted, isUrgent, resolve, reject };
        const firstBulk = isUrgent ? waiting.findIndex((one) => !one.isUrgent) : -1;
        waiting.splice(firstBulk === -1 ? waiting.length : firstBulk, 0, waiter);
      });
      if (!pumping) void pump();
      return turn;
    },
    closeLine() {
      isClosed = true;
      for (const one of waiting.splice(0)) one.resolve([]);
    },
    isLineClosed: () => isClosed,
    async hold(ms) {
      await redis.set(holdKey, '1', 'PX', Math.max(1, Math.round(ms)));
    },
    close() {
      clearInterval(timer);
      redis.disconnect();
    },
  };
}
