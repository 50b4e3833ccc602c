import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../api.ts';

/** `date` defaults to today. */
export const undeliveredQuery = (date: string | null) =>
  queryOptions({
    queryKey: ['undelivered', date],
    queryFn: ({ signal }) =>
      call('GET /admin/missed', { query: { date: date ?? undefined }, signal }),
    refetchInterval: 10_000,
  });

export const undeliveredSubscribersQuery = (date: string | null, reason: string) =>
  infiniteQueryOptions({
    queryKey: ['undelivered', date, 'people', reason],
    queryFn: ({ signal, pageParam }) =>
      call('GET /admin/missed', {
        query: { date: date ?? undefined, reason, cursor: pageParam ?? undefined },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  });
