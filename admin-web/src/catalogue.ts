import { useQuery } from '@tanstack/react-query';
import { apiQuery } from './api.ts';

/** Product name, prices and currency, which are configured on the server. */
const catalogueQuery = {
  ...apiQuery(['catalogue'], 'GET /plans'),
  staleTime: Number.POSITIVE_INFINITY,
};

export const useCatalogue = () => useQuery(catalogueQuery).data;
