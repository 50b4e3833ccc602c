import type { UserFigures } from '@daylift/contracts/accounts.http';
import type { BillingFigures } from '@daylift/contracts/billing.http';
import type { ContentFigures } from '@daylift/contracts/content.http';
import type { AdminAnalytics } from '@daylift/contracts/gateway.http';
import type { SmsStats } from '@daylift/contracts/sms.http';
import { Unavailable } from '@daylift/server/error';
import type { IdentityKey } from '@daylift/server/identity';
import { createInternalClient } from '@daylift/server/internal-client';
import type { Service, UpstreamUrls } from './upstreams.ts';

export function createReadAnalytics(options: {
  urls: UpstreamUrls;
  identityKey: IdentityKey;
}): () => Promise<AdminAnalytics> {
  const readFrom = async <T>(service: Service, path: string): Promise<T> => {
    const client = createInternalClient({
      to: service,
      baseUrl: options.urls[service],
      key: options.identityKey,
    });
    const figures = await client.get<T>(path);
    if (figures === null) throw new Unavailable(`The ${service} service has no data yet.`);
    return figures;
  };
  return async () => {
    const [users, billing, content, sms] = await Promise.all([
      readFrom<UserFigures>('accounts', '/internal/analytics/users'),
      readFrom<BillingFigures>('billing', '/internal/analytics/billing'),
      readFrom<ContentFigures>('content', '/internal/analytics/content'),
      readFrom<SmsStats>('sms-gateway', '/internal/analytics/sms'),
    ]);
    return { users, ...billing, ...content, sms };
  };
}
