import type { RateClass } from '@daylift/contracts/endpoint';
import { clientBlock, clientNetwork } from '@daylift/server/client-network';
import type { Server } from '@daylift/server/create-server';
import { formatWait } from '@daylift/server/format-wait';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Redis } from 'ioredis';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { TooManyRequests } from './errors.ts';

const minuteSeconds = 60;

type Limited = Exclude<RateClass, 'none'>;

interface Limit {
  points: number;
  duration: number;
}

/** Calls per client network and window, over all replicas. */
export const limits: Record<Limited, Limit> = {
  general: { points: 300, duration: minuteSeconds },
  login: { points: 10, duration: minuteSeconds },
  signup: { points: 10, duration: 60 * minuteSeconds },
  /**
   * Calls that text a verification code or a consent request. Accounts and sms-gateway also limit each account and
   * number.
   */
  code: { points: 10, duration: minuteSeconds },
  checkout: { points: 20, duration: minuteSeconds },
  'payment-status': { points: 30, duration: minuteSeconds },
  promotion: { points: 20, duration: minuteSeconds },
  /** Support messages. Accounts also limits each account and sender. */
  letter: { points: 10, duration: 60 * minuteSeconds },
};

/** Calls per client network and hour, so one address can't use up the limit of its block within minutes. */
export const hourLimits: Partial<Record<Limited, Limit>> = {
  code: { points: 20, duration: 60 * minuteSeconds },
};

/**
 * Calls per /24 or /48 that cost us texts: someone with a whole block would multiply the limits of one address. Many
 * subscribers of a mobile carrier share a block.
 */
export const blockLimits: Partial<Record<Limited, Limit>> = {
  signup: { points: 50, duration: 60 * minuteSeconds },
  code: { points: 100, duration: 60 * minuteSeconds },
};

export type CheckRate = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
 * Counts calls in Redis before they are handled, so parallel calls can't exceed a limit. A sign-in that fails with
 * a 5xx is not counted. Without Redis nothing is limited here; accounts still limits wrong passwords.
 */
export function registerRateLimits(app: Server, redis: Redis): (rate: RateClass) => CheckRate {
  const limitersOf = (all: Partial<Record<Limited, Limit>>, prefix: string) =>
    new Map(
      Object.entries(all).map(([rate, limit]) => [
        rate,
        new RateLimiterRedis({ storeClient: redis, keyPrefix: `${prefix}:${rate}`, ...limit }),
      ]),
    );
  const limiters = limitersOf(limits, 'rate-limit');
  const ofHours = limitersOf(hourLimits, 'hour-limit');
  const ofBlocks = limitersOf(blockLimits, 'block-limit');
  const signIns = new WeakSet<FastifyRequest>();
  app.addHook('onResponse', async (request, reply) => {
    if (!signIns.has(request) || reply.statusCode < 500) return;
    await refund(limiters.get('login'), clientNetwork(request.ip));
  });
  return (rate) => async (request, reply) => {
    if (rate === 'none') return;
    // The block last: calls over the limit of their address must not use up the limit of their neighbors.
    await consume(limiters.get(rate), clientNetwork(request.ip), reply);
    await consume(ofHours.get(rate), clientNetwork(request.ip), reply);
    await consume(ofBlocks.get(rate), clientBlock(request.ip), reply);
    if (rate === 'login') signIns.add(request);
  };
}

async function consume(
  limiter: RateLimiterRedis | undefined,
  client: string,
  reply: FastifyReply,
): Promise<void> {
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
}

/** Removes one call from a window that is still open. */
async function refund(limiter: RateLimiterRedis | undefined, client: string): Promise<void> {
  try {
    if ((await limiter?.get(client)) != null) await limiter?.reward(client);
  } catch {
    // Without Redis there is nothing to refund.
  }
}
