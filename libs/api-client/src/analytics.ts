import type { AdminAnalytics } from '@daylift/contracts/gateway.http';
import type { Client } from './request.ts';

/** The one answer that the gateway composes. */
export const createAdminAnalyticsApi = ({ call }: Client) => ({
  getAnalytics: (signal?: AbortSignal) =>
    call<AdminAnalytics>('GET', '/admin/analytics', { signal }),
});
