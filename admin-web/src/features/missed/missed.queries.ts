import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../api.ts';

/** `date` defaults to today. */
export const missedQuery = (date: string | null) =>
  queryOptions({
    queryKey: ['missed', date],
    queryFn: ({ signal }) =>
      call('GET /admin/missed', { query: { date: date ?? undefined }, signal }),
    refetchInterval: 10_000,
  });

export const missedPeopleQuery = (date: string | null, reason: string) =>
  infiniteQueryOptions({
    queryKey: ['missed', date, 'people', reason],
    queryFn: ({ signal, pageParam }) =>
      call('GET /admin/missed', {
        query: { date: date ?? undefined, reason, cursor: pageParam ?? undefined },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  });
