import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api.ts';

export const adminsQuery = queryOptions({
  queryKey: ['admins'],
  queryFn: ({ signal }) => call('GET /admin/admins', { signal }),
});
