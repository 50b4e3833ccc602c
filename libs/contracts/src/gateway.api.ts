import { defineApi, viewer } from './endpoint.ts';
import { AllFailedItems } from './failed.http.ts';
import { AdminAnalytics } from './gateway.http.ts';
import { LiveUpdate } from './live.http.ts';

export const gatewayApi = defineApi('gateway', {
  'GET /admin/analytics': viewer('Figures of the admin dashboard', { response: AdminAnalytics }),
  'GET /admin/live': viewer('Current figures: once, or as a stream of events', {
    response: LiveUpdate,
    streams: true,
  }),
  'GET /admin/parked': viewer('Failed events and jobs of all services', {
    response: AllFailedItems,
  }),
});
