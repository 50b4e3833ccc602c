import type { TimelineKind } from '@daylift/contracts/timeline.http';
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { apiQuery, call } from '../../../api.ts';

export const subscriberQuery = (id: string) =>
  apiQuery(['subscriber', id], 'GET /admin/users/:id', { params: { id } });

export const subscriptionQuery = (id: string) =>
  apiQuery(['subscriber', id, 'subscription'], 'GET /admin/users/:id/subscription', {
    params: { id },
  });

export const staffOptionsQuery = (id: string) =>
  apiQuery(['subscriber', id, 'options'], 'GET /admin/subscriptions/:id/options', {
    params: { id },
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
  apiQuery(['subscriber', id, 'day', date], 'GET /admin/users/:id/days/:date', {
    params: { id, date },
  });
