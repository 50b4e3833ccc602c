import { queryOptions } from '@tanstack/react-query';
import { analytics } from '../../api.ts';

export const analyticsQuery = queryOptions({
  queryKey: ['analytics'],
  queryFn: ({ signal }) => analytics.getAnalytics(signal),
});
