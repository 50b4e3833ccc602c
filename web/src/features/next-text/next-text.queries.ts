import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api.ts';

const pollMs = 10_000;

export const nextTextQuery = queryOptions({
  queryKey: ['next-text'],
  queryFn: ({ signal }) => call('GET /users/me/next-text', { signal }),
  // Poll while there is none: it may appear after a reply or a settings change.
  refetchInterval: ({ state }) => (state.data?.next_text_at === null ? pollMs : false),
});
