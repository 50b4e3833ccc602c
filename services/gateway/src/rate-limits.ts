import type { RateClass } from '@daylift/contracts/endpoint';
import type { Server } from '@daylift/server/create-server';
import { formatWait } from '@daylift/server/format-wait';
import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Redis } from 'ioredis';
import { TooManyRequests } from './errors.ts';

const minuteMs = 60_000;

/** Limits per address, across all replicas. */
export const limits: Record<Exclude<RateClass, 'none'>, { max: number; windowMs: number }> = {
  general: { max: 300, windowMs: minuteMs },
  login: { max: 10, windowMs: minuteMs },
  signup: { max: 10, windowMs: 60 * minuteMs },
  checkout: { max: 20, windowMs: minuteMs },
  'payment-status': { max: 30, windowMs: minuteMs },
  /** Support messages; accounts also limits each account and sender. */
  letter: { max: 10, windowMs: 60 * minuteMs },
};

export type CheckRate = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
 * Counts a call. Returns the count within the window and its remaining milliseconds. Rejected calls aren't counted, or
 * they would have to be refunded too.
 */
const countScript = `
local calls = redis.call('INCR', KEYS[1])
if calls == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
if calls > tonumber(ARGV[2]) then redis.call('DECR', KEYS[1]) end
return {calls, redis.call('PTTL', KEYS[1])}`;
/** Does nothing if the window has expired: DECR would create a key without expiry. */
const refundScript = `
if tonumber(redis.call('GET', KEYS[1]) or '0') > 0 then redis.call('DECR', KEYS[1]) end`;

/**
 * Registers rate limits, counted in Redis. Without Redis no one is rejected, but accounts still limits each login's
 * attempts. Counts before the response, so that parallel calls can't bypass the limit, and refunds a sign-in that
 * failed on our side.
 */
export function registerRateLimits(app: Server, redis: Redis): (rate: RateClass) => CheckRate {
  const signIns = new WeakMap<FastifyRequest, string>();
  app.addHook('onResponse', async (request, reply) => {
    const key = signIns.get(request);
    if (key === undefined || reply.statusCode < 500) return;
    await redis.eval(refundScript, 1, key).catch(() => undefined);
  });
  return (rate) => async (request, reply) => {
    if (rate === 'none') return;
    const { max, windowMs } = limits[rate];
    const key = `rate-limit:${rate}:${normalizeIP(request.ip)}`;
    const taken = await redis.eval(countScript, 1, key, windowMs, max).catch(() => null);
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
