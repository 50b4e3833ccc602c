import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api.ts';

/** Refetched when the live count changes. */
export const failedQuery = queryOptions({
  queryKey: ['failed'],
  queryFn: ({ signal }) => call('GET /admin/parked', { signal }),
});
