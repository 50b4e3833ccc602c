import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { apiQuery, call } from '../../api.ts';

/** Limit of the overview request; it shows the first five. */
const historyLimit = 10;
const pageSize = 20;

export const historyQuery = apiQuery(['sms-history', historyLimit], 'GET /users/me/sms-history', {
  query: { limit: historyLimit },
});

/** The full history or its search results, newest first. */
export const wholeHistoryQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: ['sms-history', 'whole', search],
    queryFn: ({ pageParam: before, signal }) =>
      call('GET /users/me/sms-history', {
        query: { limit: pageSize, search: search || undefined, before: before ?? undefined },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page.length < pageSize ? null : (page.at(-1)?.id ?? null)),
  });

export const dayQuery = (date: string) =>
  apiQuery(['sms-history', 'day', date], 'GET /users/me/sms-history', {
    query: { limit: historyLimit, date },
  });

/** Why the day had a text or none. */
export const explanationQuery = (date: string) =>
  apiQuery(['days', date], 'GET /users/me/days/:date', { params: { date } });

export const analyticsQuery = apiQuery(['analytics'], 'GET /users/me/analytics');

/** `month` defaults to the current month. */
export const calendarQuery = (month: string | null) => ({
  ...apiQuery(['calendar', month], 'GET /users/me/calendar', {
    query: { month: month ?? undefined },
  }),
  placeholderData: keepPreviousData,
});
