import { useAction } from '@daylift/api-client/use-action';
import type { SupportRequest } from '@daylift/contracts/accounts.http';
import { queryOptions } from '@tanstack/react-query';
import { accounts, call } from '../../api.ts';

export const faqsQuery = queryOptions({
  queryKey: ['faqs'],
  queryFn: ({ signal }) => call('GET /faqs', { signal }),
});

/** `tell` says that it is sent, also to somebody who has gone on meanwhile. */
export const useContactSupport = (tell: () => void) =>
  useAction({
    mutationFn: (letter: SupportRequest) => accounts.contactSupport(letter),
    onSuccess: tell,
  });
