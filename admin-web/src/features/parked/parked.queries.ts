import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api.ts';

/** Asked for anew when the live figures tell of another number. */
export const parkedQuery = queryOptions({
  queryKey: ['parked'],
  queryFn: ({ signal }) => call('GET /admin/parked', { signal }),
});
