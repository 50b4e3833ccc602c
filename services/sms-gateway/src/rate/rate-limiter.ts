import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Gauge } from '@daylift/server/metrics';
import { Redis } from 'ioredis';

/** One slot of the provider's rate limit. */
export interface RateSlot {
  /** Reports the provider's response. Until then the slot counts as just used. */
  done(): void;
}

export interface RateLimiter {
  /**
   * Waits for a slot, first come, first served in this process. Returns null for callers still waiting when the line
   * closes, and for later ones. Throws if Redis doesn't respond.
   */
  take(): Promise<RateSlot | null>;
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

export function createRateLimiter(options: {
  redisUrl: string;
  name: string;
  limit: number;
  onError: (error: Error) => void;
}): RateLimiter {
  const redis = new Redis(options.redisUrl, { maxRetriesPerRequest: 1, commandTimeout: 2_000 });
  redis.on('error', options.onError);
  limitPerSecond.set(options.limit);
  // The three keys share one hash slot of a cluster.
  const [window, born, holdKey] = ['window', 'born', 'hold'].map(
    (part) => `{rate:${options.name}}:${part}`,
  ) as [string, string, string];
  const waiting: { resolve: (slot: RateSlot | null) => void; reject: (error: unknown) => void }[] =
    [];
  const inUse = new Set<string>();
  let pumping = false;
  let isClosed = false;

  const touch = (members: string[], ahead: number) =>
    redis.eval(touchScript, 1, window, ahead, ...members).catch(options.onError as () => void);
  const timer = setInterval(() => {
    if (inUse.size > 0) void touch([...inUse], aheadUs);
  }, touchEveryMs);
  timer.unref();

  function slotOf(member: string): RateSlot {
    inUse.add(member);
    return {
      done() {
        if (inUse.delete(member)) void touch([member], 0);
      },
    };
  }

  /** Takes as many slots as are free for all waiting callers, then sleeps until the next one. */
  async function pump(): Promise<void> {
    pumping = true;
    try {
      while (waiting.length > 0) {
        const members = waiting.slice(0, options.limit).map(() => randomUUID());
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
        for (const member of members.slice(0, granted)) waiting.shift()?.resolve(slotOf(member));
        if (waitMs > 0) await delay(Math.min(waitMs, longestSleepMs));
      }
    } catch (error) {
      for (const one of waiting.splice(0)) one.reject(error);
    } finally {
      pumping = false;
    }
  }

  return {
    async take() {
      if (isClosed) return null;
      const turn = new Promise<RateSlot | null>((resolve, reject) =>
        waiting.push({ resolve, reject }),
      );
      if (!pumping) void pump();
      return turn;
    },
    closeLine() {
      isClosed = true;
      for (const one of waiting.splice(0)) one.resolve(null);
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
