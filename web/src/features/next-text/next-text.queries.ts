import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api.ts';

const lookAgainMs = 10_000;

export const nextTextQuery = queryOptions({
  queryKey: ['next-text'],
  queryFn: ({ signal }) => call('GET /users/me/next-text', { signal }),
  // Where there is none it may come soon, such as after a reply by text or a setting that was just changed.
  refetchInterval: ({ state }) => (state.data?.next_text_at === null ? lookAgainMs : false),
});
