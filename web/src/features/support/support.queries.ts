import { createContentApi } from '@daylift/api-client/content';
import { useAction } from '@daylift/api-client/use-action';
import type { SupportRequest } from '@daylift/contracts/accounts.http';
import { queryOptions } from '@tanstack/react-query';
import { accounts, client } from '../../api.ts';

const content = createContentApi(client);

export const faqsQuery = queryOptions({
  queryKey: ['faqs'],
  queryFn: ({ signal }) => content.listFaqs(signal),
});

/** `tell` says that it is sent, also to somebody who has gone on meanwhile. */
export const useContactSupport = (tell: () => void) =>
  useAction({
    mutationFn: (letter: SupportRequest) => accounts.contactSupport(letter),
    onSuccess: tell,
  });
