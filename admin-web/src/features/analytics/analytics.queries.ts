import { queryOptions } from '@tanstack/react-query';
import { apiQuery, call } from '../../api.ts';

const shownDays = 30;
const shownHours = 24;

export const analyticsQuery = apiQuery(['analytics'], 'GET /admin/analytics');

/** Same range as on the SMS System tab. */
export const dailyTextsQuery = apiQuery(
  ['sms-system', 'daily-stats'],
  'GET /admin/sms-stats/daily',
  { query: { days: shownDays } },
);

export const subscriptionDaysQuery = apiQuery(
  ['subscription-days'],
  'GET /admin/subscriptions/figures',
  { query: { days: shownDays } },
);

export const hourlyLoadQuery = queryOptions({
  queryKey: ['hourly-load'],
  queryFn: async ({ signal }) =>
    (await call('GET /admin/scheduler/load', { query: { hours: shownHours }, signal })).hours,
});
