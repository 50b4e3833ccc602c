import type { LogQuery } from '@daylift/contracts/sms-operations.http';
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { apiQuery, call } from '../../api.ts';

const logPage = 50;

export const statusQuery = apiQuery(['sms-system', 'status'], 'GET /admin/scheduler/status');

export const statsQuery = apiQuery(['sms-system', 'stats'], 'GET /admin/sms-stats');

export const providerQuery = apiQuery(['sms-system', 'provider'], 'GET /admin/sms-system/provider');

export const errorsQuery = apiQuery(['sms-system', 'errors'], 'GET /admin/sms-system/errors');

export const sendersQuery = apiQuery(['sms-system', 'senders'], 'GET /admin/senders');

export const deliverySlotsQuery = apiQuery(
  ['sms-system', 'delivery-slots'],
  'GET /admin/scheduler/delivery-slots',
);

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
