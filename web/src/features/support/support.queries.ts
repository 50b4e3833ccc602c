import { useAction } from '@daylift/api-client/use-action';
import type { SupportRequest } from '@daylift/contracts/accounts.http';
import { infiniteQueryOptions, useQueryClient } from '@tanstack/react-query';
import { apiQuery, call } from '../../api.ts';

export const faqsQuery = apiQuery(['faqs'], 'GET /faqs');

const pageSize = 5;

export const supportMessagesQuery = infiniteQueryOptions({
  queryKey: ['support-messages'],
  queryFn: ({ pageParam: before, signal }) =>
    call('GET /users/me/support-messages', {
      query: { limit: pageSize, before: before ?? undefined },
      signal,
    }),
  initialPageParam: null as string | null,
  getNextPageParam: ({ threads, more }) => (more ? (threads.at(-1)?.id ?? null) : null),
});

/** `onDone` runs even if the user has left the page. */
export const useContactSupport = (onDone: () => void) => {
  const client = useQueryClient();
  return useAction({
    mutationFn: (message: SupportRequest) => call('POST /support/contact', { body: message }),
    onSuccess: () => {
      onDone();
      void client.invalidateQueries(supportMessagesQuery);
    },
  });
};
