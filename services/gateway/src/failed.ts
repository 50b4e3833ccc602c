import type { AllFailedItems, FailedItems, FailingService } from '@daylift/contracts/failed.http';
import type { IdentityKey } from '@daylift/server/identity';
import { createInternalClient } from '@daylift/server/internal-client';
import type { UpstreamUrls } from './upstreams.ts';

const services: FailingService[] = ['accounts', 'billing', 'content', 'scheduler', 'sms-gateway'];

export function createReadFailed(options: {
  urls: UpstreamUrls;
  identityKey: IdentityKey;
}): () => Promise<AllFailedItems> {
  const readFrom = async (service: FailingService) => {
    const client = createInternalClient({
      to: service,
      baseUrl: options.urls[service],
      key: options.identityKey,
    });
    const failed = await client.get<FailedItems>('/internal/parked').catch(() => null);
    return { service, failed };
  };
  return async () => {
    const parts = await Promise.all(services.map(readFrom));
    const items = parts.flatMap(({ service, failed }) =>
      (failed?.items ?? []).map((item) => ({ ...item, service })),
    );
    return {
      total: parts.reduce((sum, { failed }) => sum + (failed?.total ?? 0), 0),
      items: items.toSorted((a, b) => a.parked_at.localeCompare(b.parked_at)),
      unavailable: parts.filter(({ failed }) => failed === null).map(({ service }) => service),
    };
  };
}
