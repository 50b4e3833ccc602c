import { queryOptions, useQuery } from '@tanstack/react-query';
import { catalogue } from './api.ts';

/** Names, prices and currency: configuration of the service. */
const catalogueQuery = queryOptions({
  queryKey: ['catalogue'],
  queryFn: ({ signal }) => catalogue.getCatalogue(signal),
  staleTime: Number.POSITIVE_INFINITY,
});

export const useCatalogue = () => useQuery(catalogueQuery).data;
