import type { TimelineKind } from '@daylift/contracts/timeline.http';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../../api.ts';

export const subscriberQuery = (id: string) =>
  queryOptions({
    queryKey: ['subscriber', id],
    queryFn: ({ signal }) => call('GET /admin/users/:id', { params: { id }, signal }),
  });

export const subscriptionQuery = (id: string) =>
  queryOptions({
    queryKey: ['subscriber', id, 'subscription'],
    queryFn: ({ signal }) => call('GET /admin/users/:id/subscription', { params: { id }, signal }),
  });

export const timelineQuery = (id: string, kinds: readonly TimelineKind[]) =>
  infiniteQueryOptions({
    queryKey: ['subscriber', id, 'timeline', kinds],
    queryFn: ({ pageParam, signal }) =>
      call('GET /admin/users/:id/timeline', {
        params: { id },
        query: { kinds: kinds.join(',') || undefined, before: pageParam ?? undefined },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  });

export const dayQuery = (id: string, date: string) =>
  queryOptions({
    queryKey: ['subscriber', id, 'day', date],
    queryFn: ({ signal }) =>
      call('GET /admin/users/:id/days/:date', { params: { id, date }, signal }),
  });
