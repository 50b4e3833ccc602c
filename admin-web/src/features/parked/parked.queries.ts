import { queryOptions } from '@tanstack/react-query';
import { parked } from '../../api.ts';

/** Asked for anew when the live figures tell of another number. */
export const parkedQuery = queryOptions({
  queryKey: ['parked'],
  queryFn: ({ signal }) => parked.list(signal),
});
