import type { TimelineKind } from '@daylift/contracts/timeline.http';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { timeline } from '../../../api.ts';

export const subscriberQuery = (id: string) =>
  queryOptions({
    queryKey: ['subscriber', id],
    queryFn: ({ signal }) => timeline.getSubscriber(id, signal),
  });

export const subscriptionQuery = (id: string) =>
  queryOptions({
    queryKey: ['subscriber', id, 'subscription'],
    queryFn: ({ signal }) => timeline.getSubscription(id, signal),
  });

export const timelineQuery = (id: string, kinds: readonly TimelineKind[]) =>
  infiniteQueryOptions({
    queryKey: ['subscriber', id, 'timeline', kinds],
    queryFn: ({ pageParam, signal }) =>
      timeline.getTimeline(id, { kinds, before: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  });

export const dayQuery = (id: string, date: string) =>
  queryOptions({
    queryKey: ['subscriber', id, 'day', date],
    queryFn: ({ signal }) => timeline.getDay(id, date, signal),
  });
