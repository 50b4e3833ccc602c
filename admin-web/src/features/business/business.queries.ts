import type { BusinessQuery } from '@daylift/contracts/business.http';
import { keepPreviousData } from '@tanstack/react-query';
import { apiQuery } from '../../api.ts';

export const businessQuery = (query: BusinessQuery) => ({
  ...apiQuery(
    ['business', query.from ?? null, query.to ?? null, query.currency ?? null],
    'GET /admin/business',
    { query },
  ),
  placeholderData: keepPreviousData,
});
