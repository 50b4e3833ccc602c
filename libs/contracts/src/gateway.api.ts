import { defineApi } from './endpoint.ts';
import { AllFailedItems } from './failed.http.ts';
import { AdminAnalytics } from './gateway.http.ts';
import { LiveUpdate } from './live.http.ts';

export const gatewayApi = defineApi('gateway', {
  'GET /admin/analytics': {
    access: 'viewer',
    summary: 'Figures of the whole product',
    response: AdminAnalytics,
  },
  'GET /admin/live': {
    access: 'viewer',
    summary: 'Current figures: once, or as a stream of events',
    response: LiveUpdate,
    streams: true,
  },
  'GET /admin/parked': {
    access: 'viewer',
    summary: 'Failed events and jobs of all services',
    response: AllFailedItems,
  },
});
