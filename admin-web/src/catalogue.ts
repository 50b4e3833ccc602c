import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from './api.ts';

/** Product name, prices and currency, which are configured on the server. */
const catalogueQuery = queryOptions({
  queryKey: ['catalogue'],
  queryFn: ({ signal }) => call('GET /plans', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

export const useCatalogue = () => useQuery(catalogueQuery).data;
