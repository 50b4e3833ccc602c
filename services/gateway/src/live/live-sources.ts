import type { Parked } from '@daylift/contracts/parked.http';
import { Unavailable } from '@daylift/server/error';
import type { IdentityKey } from '@daylift/server/identity';
import { createInternalClient } from '@daylift/server/internal-client';
import type { Service, UpstreamUrls } from '../upstreams.ts';
import type { LiveSource } from './live-reader.ts';

const services: Service[] = ['accounts', 'billing', 'content', 'scheduler', 'sms-gateway'];
/** One that takes longer is behind; the others do not wait for it. */
const timeoutMs = 2_000;

/** Each service says at the same place what of it changes. */
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

/** How much is parked, which takes longer to find out and changes seldom: it may be as old as this. */
export function createParkedSource(
  readParked: () => Promise<Parked>,
  oldestMs: number,
): LiveSource {
  let known: { parked: number } | null = null;
  let askedMs = 0;
  return async () => {
    if (known !== null && performance.now() - askedMs < oldestMs) return known;
    askedMs = performance.now();
    known = { parked: (await readParked()).total };
    return known;
  };
}
