import { queryOptions } from '@tanstack/react-query';
import { admins } from '../../api.ts';

export const adminsQuery = queryOptions({
  queryKey: ['admins'],
  queryFn: ({ signal }) => admins.list(signal),
});
