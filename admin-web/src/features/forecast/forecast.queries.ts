import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../api.ts';

export const forecastQuery = queryOptions({
  queryKey: ['forecast'],
  queryFn: ({ signal }) => call('GET /admin/rehearsal', { signal }),
  // Poll while the forecast is being computed.
  refetchInterval: ({ state: { data } }) => (data?.progress == null ? 15_000 : 1_000),
});

export const forecastSkipsQuery = (reason: string) =>
  infiniteQueryOptions({
    queryKey: ['forecast', 'skipped', reason],
    queryFn: ({ signal, pageParam }) =>
      call('GET /admin/rehearsal/skipped', {
        query: { reason, cursor: pageParam ?? undefined },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  });
