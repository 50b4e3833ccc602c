import type { RateClass } from '@daylift/contracts/endpoint';
import { clientNetwork } from '@daylift/server/client-network';
import type { Server } from '@daylift/server/create-server';
import { formatWait } from '@daylift/server/format-wait';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Redis } from 'ioredis';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { TooManyRequests } from './errors.ts';

const minuteSeconds = 60;

type Limited = Exclude<RateClass, 'none'>;

/** Calls per client network and window, over all replicas. */
export const limits: Record<Limited, { points: number; duration: number }> = {
  general: { points: 300, duration: minuteSeconds },
  login: { points: 10, duration: minuteSeconds },
  signup: { points: 10, duration: 60 * minuteSeconds },
  checkout: { points: 20, duration: minuteSeconds },
  'payment-status': { points: 30, duration: minuteSeconds },
  /** Support messages. Accounts also limits each account and sender. */
  letter: { points: 10, duration: 60 * minuteSeconds },
};

export type CheckRate = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
 * Counts calls in Redis before they are handled, so that parallel calls can't exceed a limit. A sign-in that fails with
 * a 5xx is not counted. Without Redis nothing is limited here; accounts still limits wrong passwords.
 */
export function registerRateLimits(app: Server, redis: Redis): (rate: RateClass) => CheckRate {
  const limiterOf = (rate: Limited) =>
    new RateLimiterRedis({ storeClient: redis, keyPrefix: `rate-limit:${rate}`, ...limits[rate] });
  const limiters = new Map(
    (Object.keys(limits) as Limited[]).map((rate) => [rate, limiterOf(rate)]),
  );
  const signIns = new WeakSet<FastifyRequest>();
  app.addHook('onResponse', async (request, reply) => {
    if (!signIns.has(request) || reply.statusCode < 500) return;
    await refund(limiters.get('login'), clientNetwork(request.ip));
  });
  return (rate) => async (request, reply) => {
    if (rate === 'none') return;
    const limiter = limiters.get(rate);
    const client = clientNetwork(request.ip);
    try {
      await limiter?.consume(client);
    } catch (refused) {
      // Any other error is Redis's.
      if (!(refused instanceof RateLimiterRes)) return;
      await refund(limiter, client);
      const seconds = Math.ceil(refused.msBeforeNext / 1000);
      reply.header('retry-after', seconds);
      throw new TooManyRequests(formatWait(seconds * 1000));
    }
    if (rate === 'login') signIns.add(request);
  };
}

/** Removes one call from a window that is still open. */
async function refund(limiter: RateLimiterRedis | undefined, client: string): Promise<void> {
  try {
    if ((await limiter?.get(client)) != null) await limiter?.reward(client);
  } catch {
    // Without Redis there is nothing to refund.
  }
}
