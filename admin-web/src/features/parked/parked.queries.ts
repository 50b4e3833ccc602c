import { queryOptions } from '@tanstack/react-query';
import { parked } from '../../api.ts';

export const parkedQuery = queryOptions({
  queryKey: ['parked'],
  queryFn: ({ signal }) => parked.list(signal),
  // The number stands on every page; a minute is soon enough for what waits for a person.
  refetchInterval: 60_000,
});
