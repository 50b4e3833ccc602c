import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { rehearsal } from '../../api.ts';

export const rehearsalQuery = queryOptions({
  queryKey: ['rehearsal'],
  queryFn: ({ signal }) => rehearsal.read(signal),
  // One that is being computed is worth waiting for.
  refetchInterval: ({ state: { data } }) => (data?.progress == null ? 15_000 : 1_000),
});

export const rehearsedSkipsQuery = (reason: string) =>
  infiniteQueryOptions({
    queryKey: ['rehearsal', 'skipped', reason],
    queryFn: ({ signal, pageParam }) =>
      rehearsal.listSkipped({ reason, cursor: pageParam ?? undefined }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  });
