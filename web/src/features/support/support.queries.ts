import { useAction } from '@daylift/api-client/use-action';
import type { SupportRequest } from '@daylift/contracts/accounts.http';
import { apiQuery, call } from '../../api.ts';

export const faqsQuery = apiQuery(['faqs'], 'GET /faqs');

/** `tell` runs even if the user has left the page. */
export const useContactSupport = (tell: () => void) =>
  useAction({
    mutationFn: (letter: SupportRequest) => call('POST /support/contact', { body: letter }),
    onSuccess: tell,
  });
