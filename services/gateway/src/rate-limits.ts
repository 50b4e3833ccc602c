import type { Server } from '@daylift/server/create-server';
import { waitInWords } from '@daylift/server/wait-in-words';
import rateLimit, { normalizeIP } from '@fastify/rate-limit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Redis } from 'ioredis';
import { TooManyRequests } from './errors.ts';
import type { RateClass } from './routes-table.ts';

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

/** Counts in Redis. Without Redis nobody is turned away: accounts still limits the tries of each login by itself. */
export async function registerRateLimits(
  app: Server,
  redis: Redis,
): Promise<(rate: RateClass) => CheckRate> {
  await app.register(rateLimit, {
    global: false,
    redis,
    nameSpace: 'rate-limit:',
    skipOnError: true,
  });
  const checks = new Map(
    Object.entries(limits).map(([rate, limit]) => [
      rate as RateClass,
      app.createRateLimit({
        max: limit.max,
        timeWindow: limit.windowMs,
        keyGenerator: (request) => `${rate}:${normalizeIP(request.ip)}`,
      }),
    ]),
  );
  return (rate) => async (request, reply) => {
    const counted = await checks.get(rate)?.(request);
    if (counted === undefined || counted.isAllowed || !counted.isExceeded) return;
    reply.header('retry-after', counted.ttlInSeconds);
    throw new TooManyRequests(waitInWords(counted.ttlInSeconds * 1000));
  };
}
