import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { missed } from '../../api.ts';

/** `date` null: today. */
export const missedQuery = (date: string | null) =>
  queryOptions({
    queryKey: ['missed', date],
    queryFn: ({ signal }) => missed.read({ date: date ?? undefined }, signal),
    refetchInterval: 10_000,
  });

export const missedPeopleQuery = (date: string | null, reason: string) =>
  infiniteQueryOptions({
    queryKey: ['missed', date, 'people', reason],
    queryFn: ({ signal, pageParam }) =>
      missed.read({ date: date ?? undefined, reason, cursor: pageParam ?? undefined }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  });
