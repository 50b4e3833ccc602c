import { apiQuery } from '../../api.ts';

export const analyticsQuery = apiQuery(['analytics'], 'GET /admin/analytics');

export const subscriptionDaysQuery = (days: number) =>
  apiQuery(['subscription-days', days], 'GET /admin/subscriptions/figures', { query: { days } });

export const todayQuery = apiQuery(['today'], 'GET /admin/scheduler/today');
