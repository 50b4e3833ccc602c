import type { Parked, ParkedItems, ParkingService } from '@daylift/contracts/parked.http';
import type { IdentityKey } from '@daylift/server/identity';
import { createInternalClient } from '@daylift/server/internal-client';
import type { UpstreamUrls } from './upstreams.ts';

const services: ParkingService[] = ['accounts', 'billing', 'content', 'scheduler', 'sms-gateway'];

/** Returns the failed events of all services. Unavailable services are listed, and the others still returned. */
export function createReadParked(options: {
  urls: UpstreamUrls;
  identityKey: IdentityKey;
}): () => Promise<Parked> {
  const ask = async (service: ParkingService) => {
    const client = createInternalClient({
      to: service,
      baseUrl: options.urls[service],
      key: options.identityKey,
    });
    const parked = await client.get<ParkedItems>('/internal/parked').catch(() => null);
    return { service, parked };
  };
  return async () => {
    const answers = await Promise.all(services.map(ask));
    const items = answers.flatMap(({ service, parked }) =>
      (parked?.items ?? []).map((item) => ({ ...item, service })),
    );
    return {
      total: answers.reduce((sum, { parked }) => sum + (parked?.total ?? 0), 0),
      items: items.toSorted((a, b) => a.parked_at.localeCompare(b.parked_at)),
      unavailable: answers.filter(({ parked }) => parked === null).map(({ service }) => service),
    };
  };
}
