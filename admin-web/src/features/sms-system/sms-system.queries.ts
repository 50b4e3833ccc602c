import type { LogQuery } from '@daylift/contracts/sms-operations.http';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../api.ts';

const recentBatches = 20;
const shownDays = 30;
const logPage = 50;

export const statusQuery = queryOptions({
  queryKey: ['sms-system', 'status'],
  queryFn: ({ signal }) => call('GET /admin/scheduler/status', { signal }),
});

export const batchesQuery = queryOptions({
  queryKey: ['sms-system', 'batches'],
  queryFn: ({ signal }) =>
    call('GET /admin/sms-batches', { query: { limit: recentBatches }, signal }),
});

export const statsQuery = queryOptions({
  queryKey: ['sms-system', 'stats'],
  queryFn: ({ signal }) => call('GET /admin/sms-stats', { signal }),
});

export const dailyStatsQuery = queryOptions({
  queryKey: ['sms-system', 'daily-stats'],
  queryFn: ({ signal }) =>
    call('GET /admin/sms-stats/daily', { query: { days: shownDays }, signal }),
});

export const providerQuery = queryOptions({
  queryKey: ['sms-system', 'provider'],
  queryFn: ({ signal }) => call('GET /admin/sms-system/provider', { signal }),
});

export const deliverySlotsQuery = queryOptions({
  queryKey: ['sms-system', 'delivery-slots'],
  queryFn: ({ signal }) => call('GET /admin/scheduler/delivery-slots', { signal }),
});

/** Has its own key because the banner of every page reads it. */
export const testingModeQuery = queryOptions({
  queryKey: ['settings', 'testing-mode'],
  queryFn: ({ signal }) => call('GET /admin/settings/testing-mode', { signal }),
});

export const alertSettingsQuery = queryOptions({
  queryKey: ['settings', 'alert-email'],
  queryFn: ({ signal }) => call('GET /admin/settings/alert-email', { signal }),
});

export type LogFilter = Pick<LogQuery, 'status' | 'from' | 'to'>;

/** The delivery log, newest first, paged by cursor. */
export const logQuery = (filter: LogFilter) =>
  infiniteQueryOptions({
    queryKey: ['sms-system', 'log', filter],
    queryFn: ({ pageParam, signal }) =>
      call('GET /admin/sms-logs', {
        query: { ...filter, limit: logPage, before: pageParam ?? undefined },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page.length < logPage ? null : (page.at(-1)?.id ?? null)),
    placeholderData: keepPreviousData,
  });
