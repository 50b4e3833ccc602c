import type { Client } from './request.ts';

/** The one answer that the gateway composes. */
export const createAdminAnalyticsApi = ({ call }: Client) => ({
  getAnalytics: (signal?: AbortSignal) => call('GET /admin/analytics', { signal }),
});
