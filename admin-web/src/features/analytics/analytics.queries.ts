import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api.ts';

const shownDays = 30;
const shownHours = 24;

export const analyticsQuery = queryOptions({
  queryKey: ['analytics'],
  queryFn: ({ signal }) => call('GET /admin/analytics', { signal }),
});

/** Same range as on the SMS System tab. */
export const dailyTextsQuery = queryOptions({
  queryKey: ['sms-system', 'daily-stats'],
  queryFn: ({ signal }) =>
    call('GET /admin/sms-stats/daily', { query: { days: shownDays }, signal }),
});

export const subscriptionDaysQuery = queryOptions({
  queryKey: ['subscription-days'],
  queryFn: ({ signal }) =>
    call('GET /admin/subscriptions/figures', { query: { days: shownDays }, signal }),
});

export const hourlyLoadQuery = queryOptions({
  queryKey: ['hourly-load'],
  queryFn: async ({ signal }) =>
    (await call('GET /admin/scheduler/load', { query: { hours: shownHours }, signal })).hours,
});
