import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api.ts';

const plannedMs = 3_000;

/** The first text is planned a moment after the payment. */
export const firstTextQuery = queryOptions({
  queryKey: ['next-text'],
  queryFn: ({ signal }) => call('GET /users/me/next-text', { signal }),
  refetchInterval: ({ state }) => (state.data?.next_text_at === null ? plannedMs : false),
});
