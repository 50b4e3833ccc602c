import type { RateClass } from '@daylift/contracts/endpoint';
import type { Server } from '@daylift/server/create-server';
import { formatWait } from '@daylift/server/format-wait';
import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Redis } from 'ioredis';
import { TooManyRequests } from './errors.ts';

const minuteMs = 60_000;

/** How often one address may call, all replicas together. */
export const limits: Record<Exclude<RateClass, 'none'>, { max: number; windowMs: number }> = {
  general: { max: 300, windowMs: minuteMs },
  login: { max: 10, windowMs: minuteMs },
  signup: { max: 10, windowMs: 60 * minuteMs },
  checkout: { max: 20, windowMs: minuteMs },
  'payment-status': { max: 30, windowMs: minuteMs },
  /** Letters to us; accounts limits each account and sender by itself. */
  letter: { max: 10, windowMs: 60 * minuteMs },
};

export type CheckRate = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
 * Takes one call from an allowance; answers how many that makes within its time, and how many milliseconds are left of it.
 * What is turned away takes nothing, else it would have to be given back as well.
 */
const takeScript = `
local calls = redis.call('INCR', KEYS[1])
if calls == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
if calls > tonumber(ARGV[2]) then redis.call('DECR', KEYS[1]) end
return {calls, redis.call('PTTL', KEYS[1])}`;
/** Nothing where the time is over meanwhile: what is not there has no end either. */
const giveBackScript = `
if tonumber(redis.call('GET', KEYS[1]) or '0') > 0 then redis.call('DECR', KEYS[1]) end`;

/**
 * Counts in Redis. Without Redis nobody is turned away: accounts still limits the tries of each login by itself. Counted
 * before the answer, so that many calls at once are no way round; a sign-in that we failed to answer is given back after it.
 */
export function registerRateLimits(app: Server, redis: Redis): (rate: RateClass) => CheckRate {
  const signIns = new WeakMap<FastifyRequest, string>();
  app.addHook('onResponse', async (request, reply) => {
    const key = signIns.get(request);
    if (key === undefined || reply.statusCode < 500) return;
    await redis.eval(giveBackScript, 1, key).catch(() => undefined);
  });
  return (rate) => async (request, reply) => {
    if (rate === 'none') return;
    const { max, windowMs } = limits[rate];
    const key = `rate-limit:${rate}:${normalizeIP(request.ip)}`;
    const taken = await redis.eval(takeScript, 1, key, windowMs, max).catch(() => null);
    if (taken === null) return;
    const [calls, leftMs] = taken as [number, number];
    if (calls > max) {
      const seconds = Math.ceil(leftMs / 1000);
      reply.header('retry-after', seconds);
      throw new TooManyRequests(formatWait(seconds * 1000));
    }
    if (rate === 'login') signIns.set(request, key);
  };
}
