import type { AllFailedItems } from '@daylift/contracts/failed.http';
import { Unavailable } from '@daylift/server/error';
import type { IdentityKey } from '@daylift/server/identity';
import { createInternalClient } from '@daylift/server/internal-client';
import type { Service, UpstreamUrls } from '../upstreams.ts';
import type { LiveSource } from './live-reader.ts';

const services: Service[] = ['accounts', 'billing', 'content', 'scheduler', 'sms-gateway'];
/** Slower services count as unavailable, and don't delay the others. */
const timeoutMs = 2_000;

export function createLiveSources(options: {
  urls: UpstreamUrls;
  identityKey: IdentityKey;
}): Record<string, LiveSource> {
  return Object.fromEntries(
    services.map((service) => {
      const client = createInternalClient({
        to: service,
        baseUrl: options.urls[service],
        key: options.identityKey,
        timeoutMs,
      });
      const read: LiveSource = async () => {
        const figures = await client.get<Record<string, unknown>>('/internal/live');
        if (figures === null) throw new Unavailable(`The ${service} service has no data yet.`);
        return figures;
      };
      return [service, read];
    }),
  );
}

/**
 * Creates a live source for the number of failed events. It is expensive and changes rarely, so it's cached, unless a
 * service didn't respond: then the number may be too low, so it doesn't fall, and the next read tries again.
 */
export function createFailedSource(
  readFailed: () => Promise<AllFailedItems>,
  oldestMs: number,
): LiveSource {
  let known = 0;
  let knownMs = Number.NEGATIVE_INFINITY;
  return async () => {
    const startedMs = performance.now();
    if (startedMs - knownMs >= oldestMs) {
      const { total, unavailable } = await readFailed();
      const isComplete = unavailable.length === 0;
      known = isComplete ? total : Math.max(total, known);
      if (isComplete) knownMs = startedMs;
    }
    return { parked: known };
  };
}
