import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { accounts } from '../../api.ts';

export const pageSize = 25;

export const subscribersQuery = (search: string, offset: number) =>
  queryOptions({
    queryKey: ['subscribers', search, offset],
    queryFn: ({ signal }) =>
      accounts.listUsers({ limit: pageSize, offset, ...(search === '' ? {} : { search }) }, signal),
    placeholderData: keepPreviousData,
  });
