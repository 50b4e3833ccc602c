import { queryOptions } from '@tanstack/react-query';
import { apiQuery, call } from '../../api.ts';

const shownHours = 24;

export const analyticsQuery = apiQuery(['analytics'], 'GET /admin/analytics');

export const subscriptionDaysQuery = (days: number) =>
  apiQuery(['subscription-days', days], 'GET /admin/subscriptions/figures', { query: { days } });

export const todayQuery = apiQuery(['today'], 'GET /admin/scheduler/today');

export const hourlyLoadQuery = queryOptions({
  queryKey: ['hourly-load'],
  queryFn: async ({ signal }) =>
    (await call('GET /admin/scheduler/load', { query: { hours: shownHours }, signal })).hours,
});
