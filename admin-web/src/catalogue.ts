import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from './api.ts';

/** Names, prices and currency: configuration of the service. */
const catalogueQuery = queryOptions({
  queryKey: ['catalogue'],
  queryFn: ({ signal }) => call('GET /plans', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

export const useCatalogue = () => useQuery(catalogueQuery).data;
