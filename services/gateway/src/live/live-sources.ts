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

/** Creates a live source for the number of failed events. It is expensive and changes rarely, so it's cached. */
export function createFailedSource(
  readFailed: () => Promise<AllFailedItems>,
  oldestMs: number,
): LiveSource {
  let known: { parked: number } | null = null;
  let askedMs = 0;
  return async () => {
    if (known !== null && performance.now() - askedMs < oldestMs) return known;
    askedMs = performance.now();
    known = { parked: (await readFailed()).total };
    return known;
  };
}
