import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Gauge } from '@daylift/server/metrics';
import { Redis } from 'ioredis';

/** One place in the provider's second. */
export interface RateSlot {
  /** The provider has answered. Until then the slot counts as just used, however long that takes. */
  done(): void;
}

export interface RateLimiter {
  /**
   * Waits its turn, first come first served in this process; null for those who wait when the line is closed, and who come
   * after. Throws when Redis does not answer.
   */
  take(): Promise<RateSlot | null>;
  /** Before the process ends: a line may be longer than the time that is left. */
  closeLine(): void;
  isLineClosed(): boolean;
  /** Nobody, in any process, gets a slot for so long. */
  hold(ms: number): Promise<void>;
  close(): void;
}

/**
 * At most `limit` slots in any sliding second, over all processes, on the clock of Redis. A slot counts from being taken
 * until one second after the provider's answer, because the provider counts a request somewhere in between; so the bound
 * holds at the provider, whatever the network does. A slot whose answer is still to come stands in the window some way
 * ahead of now: if its process is killed, the request may yet be counted. KEYS: the window, its birthday, a hold.
 * Answers {granted, wait in ms}.
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

/** Members that are still with the provider count as used some way ahead; those that were answered just now, as used now. */
const touchScript = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
for index = 2, #ARGV do redis.call('ZADD', KEYS[1], now + tonumber(ARGV[1]), ARGV[index]) end
redis.call('PEXPIRE', KEYS[1], 60000)
`;

/** How long after its last touch a request of a killed process may still be counted by the provider. */
const aheadMs = 800;
const aheadUs = aheadMs * 1_000;
const touchEveryMs = aheadMs / 2;
const longestSleepMs = 1_000;

const limitPerSecond = new Gauge({
  name: 'sms_rate_limit_per_second',
  help: 'Texts that may leave in any second, over all processes',
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
  // One slot of a cluster: the three keys belong together.
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

  /** One loop for all who wait: takes as many slots as there are and sleeps until the next is free. */
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
