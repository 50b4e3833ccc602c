import { queryOptions } from '@tanstack/react-query';
import { billing } from '../../api.ts';

export const subscriptionQuery = queryOptions({
  queryKey: ['subscription'],
  queryFn: ({ signal }) => billing.getSubscription(signal),
});
