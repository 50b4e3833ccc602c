import { queryOptions } from '@tanstack/react-query';
import { analytics, billing, scheduler, smsOperations } from '../../api.ts';

const shownDays = 30;
const shownHours = 24;

export const analyticsQuery = queryOptions({
  queryKey: ['analytics'],
  queryFn: ({ signal }) => analytics.getAnalytics(signal),
});

/** The same days as on the page of the SMS system. */
export const dailyTextsQuery = queryOptions({
  queryKey: ['sms-system', 'daily-stats'],
  queryFn: ({ signal }) => smsOperations.getDailyStats(shownDays, signal),
});

export const subscriptionDaysQuery = queryOptions({
  queryKey: ['subscription-days'],
  queryFn: ({ signal }) => billing.getSubscriptionDays(shownDays, signal),
});

export const hourlyLoadQuery = queryOptions({
  queryKey: ['hourly-load'],
  queryFn: async ({ signal }) => (await scheduler.getLoad(shownHours, signal)).hours,
});
