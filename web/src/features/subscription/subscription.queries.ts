import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api.ts';

export const subscriptionQuery = queryOptions({
  queryKey: ['subscription'],
  queryFn: ({ signal }) => call('GET /users/me/subscription', { signal }),
});
