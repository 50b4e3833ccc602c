import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api.ts';

export const freezeQuery = queryOptions({
  queryKey: ['freeze', 'state'],
  queryFn: ({ signal }) => call('GET /admin/freeze', { signal }),
});

export const liftPreviewQuery = queryOptions({
  queryKey: ['freeze', 'lift-preview'],
  queryFn: ({ signal }) => call('GET /admin/freeze/lift-preview', { signal }),
  staleTime: 0,
  gcTime: 0,
});
