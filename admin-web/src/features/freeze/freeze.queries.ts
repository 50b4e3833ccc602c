import { queryOptions } from '@tanstack/react-query';
import { freeze } from '../../api.ts';

export const freezeQuery = queryOptions({
  queryKey: ['freeze', 'state'],
  queryFn: ({ signal }) => freeze.read(signal),
});

export const liftPreviewQuery = queryOptions({
  queryKey: ['freeze', 'lift-preview'],
  queryFn: ({ signal }) => freeze.previewLift(signal),
  staleTime: 0,
  gcTime: 0,
});
