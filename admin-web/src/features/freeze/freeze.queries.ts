import { queryOptions } from '@tanstack/react-query';
import { freeze } from '../../api.ts';

export const freezeQuery = queryOptions({
  queryKey: ['freeze', 'state'],
  queryFn: ({ signal }) => freeze.read(signal),
  // Quicker while there is something to watch.
  refetchInterval: ({ state: { data } }) => (data?.frozen || data?.provider ? 2_000 : 5_000),
});

export const liftPreviewQuery = queryOptions({
  queryKey: ['freeze', 'lift-preview'],
  queryFn: ({ signal }) => freeze.previewLift(signal),
  staleTime: 0,
  gcTime: 0,
});
