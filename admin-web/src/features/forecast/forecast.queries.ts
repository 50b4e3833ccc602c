import { infiniteQueryOptions } from '@tanstack/react-query';
import { call } from '../../api.ts';

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
